/**
 * Facts about end users.
 *
 * - Writes for one end user are serialized by a lock, so that a deletion cannot be undone by a concurrent write, and a fact that
 *   two conversations store at once is stored once.
 * - A fact from a message before the last deletion is never stored, however late it arrives.
 */

import { createHash } from 'node:crypto'
import type { Memory } from '@parlance/contracts'
import { type Database, type Page, type PageRequest, pageByTime, type Queryable, timeOrder } from '@parlance/store'

/** SHA-256 of a fact without case, punctuation and spaces, so that facts in the same words have the same hash. */
const factHash = (text: string): Buffer => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return createHash('sha256')
    .update(words?.join(' ') ?? text)
    .digest()
}

/** An Agent and one of its end users. */
interface MemoryScope {
  readonly workspaceId: string
  readonly endUserId: string
  readonly agentId: string
}

/** Only the end user, for all Agents. */
type MemoryOwner = Omit<MemoryScope, 'agentId'>

export interface ExtractedFact {
  readonly text: string
  readonly messageId: string | null
  /** The time of the message, ISO 8601. */
  readonly messageAt: string
}

/** Facts of one Agent and one end user. The oldest are deleted. */
export const maxFacts = 200

const everyAgent = '00000000-0000-0000-0000-000000000000'

interface MemoryRow extends Omit<Memory, 'created_at'> {
  created_at: Date
}

const toMemory = ({ created_at, ...row }: MemoryRow): Memory => ({
  ...row,
  created_at: created_at.toISOString(),
})

const lock = (transaction: Queryable, { workspaceId, endUserId }: MemoryOwner) =>
  transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${workspaceId} ${endUserId}`])

/** Every method rejects with `unavailable` while Postgres cannot be reached. */
export const createMemoryRepository = (database: Database) => ({
  /** All facts, the newest first. */
  newest: ({ workspaceId, endUserId, agentId }: MemoryScope): Promise<{ id: string; text: string }[]> =>
    database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `select id, text from memories where workspace_id = $1 and end_user_id = $2 and agent_id = $3
         order by created_at desc, id desc limit ${maxFacts}`,
        [workspaceId, endUserId, agentId],
      ),
    ),

  /** Stores facts, and resolves to the number of those that were new. */
  keep: (scope: MemoryScope, sessionId: string, facts: readonly ExtractedFact[]): Promise<number> =>
    database.inWorkspace(scope.workspaceId, async (transaction) => {
      const { workspaceId, endUserId, agentId } = scope
      await lock(transaction, scope)
      const kept = await transaction.query(
        `insert into memories (workspace_id, end_user_id, agent_id, session_id, text, sameness, message_id)
         select $1, $2, $3, $4, text, sameness, message_id
         from unnest($5::text[], $6::bytea[], $7::uuid[], $8::timestamptz[]) with ordinality
           as facts (text, sameness, message_id, said_at, position)
         where not exists (
           select from forgotten
           where workspace_id = $1 and end_user_id = $2 and agent_id in ($3, $9) and forgotten_at >= said_at)
         order by position
         on conflict do nothing returning id`,
        [
          workspaceId,
          endUserId,
          agentId,
          sessionId,
          // The only character that Postgres cannot store in a text.
          facts.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
          facts.map(({ text }) => factHash(text)),
          facts.map(({ messageId }) => messageId),
          facts.map(({ messageAt }) => messageAt),
          everyAgent,
        ],
      )
      await transaction.query(
        `delete from memories where workspace_id = $1 and id in (
           select id from memories where workspace_id = $1 and end_user_id = $2 and agent_id = $3
           order by created_at desc, id desc offset ${maxFacts})`,
        [workspaceId, endUserId, agentId],
      )
      return kept.length
    }),

  /** Lists facts by the time of their creation; without `agentId` those of all Agents. */
  async list(
    { workspaceId, endUserId }: MemoryOwner,
    agentId: string | undefined,
    { limit, ...page }: PageRequest,
  ): Promise<Page<Memory>> {
    const { createdUs, isAfter, orderBy, values } = timeOrder(page, 'm', 4)
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<MemoryRow & { created_us: number }>(
        `select id, agent_id, text, session_id, message_id, created_at, ${createdUs}
         from memories m
         where workspace_id = $1 and end_user_id = $2
           and ($3::uuid is null or agent_id = $3)
           and ${isAfter}
         ${orderBy} limit $6`,
        [workspaceId, endUserId, agentId ?? null, ...values, limit + 1],
      )
      return pageByTime(rows, { limit, toItem: toMemory })
    })
  },

  /** Deletes facts, without `agentId` those of all Agents, and resolves to their number. */
  forget: (owner: MemoryOwner, agentId: string | undefined): Promise<number> =>
    database.inWorkspace(owner.workspaceId, async (transaction) => {
      const { workspaceId, endUserId } = owner
      await lock(transaction, owner)
      await transaction.query(
        `insert into forgotten (workspace_id, end_user_id, agent_id, forgotten_at)
         values ($1, $2, $3, clock_timestamp())
         on conflict (workspace_id, end_user_id, agent_id) do update set forgotten_at = excluded.forgotten_at`,
        [workspaceId, endUserId, agentId ?? everyAgent],
      )
      // No conversation lasts longer than a day.
      await transaction.query(
        `delete from forgotten where workspace_id = $1 and (end_user_id, agent_id) in (
           select end_user_id, agent_id from forgotten
           where workspace_id = $1 and forgotten_at < now() - interval '2 days' for update skip locked)`,
        [workspaceId],
      )
      const gone = await transaction.query(
        `delete from memories where workspace_id = $1 and end_user_id = $2 and ($3::uuid is null or agent_id = $3)
         returning id`,
        [workspaceId, endUserId, agentId ?? null],
      )
      return gone.length
    }),
})

export type MemoryRepository = ReturnType<typeof createMemoryRepository>
