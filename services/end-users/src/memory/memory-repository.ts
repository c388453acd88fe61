/**
 * What is remembered of end users.
 *
 * - For one end user one at a time remembers or forgets: what is forgotten cannot be brought back by somebody who looked
 *   before it was, and of two who learn the same at once one keeps it.
 * - What was said before its user was last forgotten is never kept, however late it comes.
 */
import { idSchema, type Memory } from '@parlance/contracts'
import {
  type Database,
  decodeCursor,
  following,
  type Page,
  type PageRequest,
  pageOf,
  type Queryable,
} from '@parlance/store'
import { z } from 'zod'
import { sameness } from './sameness.js'

/** An Agent and somebody it talks with. */
export interface Learner {
  readonly workspaceId: string
  readonly endUserId: string
  readonly agentId: string
}

export interface LearntFact {
  readonly text: string
  readonly messageId: string | null
  /** ISO 8601. */
  readonly saidAt: string
}

/** Every method rejects with `unavailable` while Postgres cannot be reached. */
export interface MemoryRepository {
  /** All there are, the newest first. */
  newest(learner: Learner): Promise<{ id: string; text: string }[]>
  /** Returns how many of them were new. */
  keep(learner: Learner, sessionId: string, facts: readonly LearntFact[]): Promise<number>
  /** By time of creation; of one Agent, or of all. */
  list(
    owner: Pick<Learner, 'workspaceId' | 'endUserId'>,
    agentId: string | undefined,
    page: PageRequest,
  ): Promise<Page<Memory>>
  /** Of one Agent, or of all. Returns how many there were. */
  forget(owner: Pick<Learner, 'workspaceId' | 'endUserId'>, agentId: string | undefined): Promise<number>
}

/** For one Agent and one end user. The oldest go. */
export const mostFacts = 200

const everyAgent = '00000000-0000-0000-0000-000000000000'

/** When a fact was learnt, in µs, and its id. */
const placeSchema = z.tuple([z.int().nonnegative(), idSchema])

interface MemoryRow extends Omit<Memory, 'created_at'> {
  created_at: Date
  created_us: number
}

const toMemory = ({ created_us: _, created_at, ...row }: MemoryRow): Memory => ({
  ...row,
  created_at: created_at.toISOString(),
})

const lock = (transaction: Queryable, { workspaceId, endUserId }: Pick<Learner, 'workspaceId' | 'endUserId'>) =>
  transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${workspaceId} ${endUserId}`])

export const createMemoryRepository = (database: Database): MemoryRepository => ({
  newest: ({ workspaceId, endUserId, agentId }) =>
    database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `select id, text from memories where workspace_id = $1 and end_user_id = $2 and agent_id = $3
         order by created_at desc, id desc limit ${mostFacts}`,
        [workspaceId, endUserId, agentId],
      ),
    ),

  keep: (learner, sessionId, facts) =>
    database.inWorkspace(learner.workspaceId, async (transaction) => {
      const { workspaceId, endUserId, agentId } = learner
      await lock(transaction, learner)
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
          // The one character that Postgres has no place for.
          facts.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
          facts.map(({ text }) => sameness(text)),
          facts.map(({ messageId }) => messageId),
          facts.map(({ saidAt }) => saidAt),
          everyAgent,
        ],
      )
      await transaction.query(
        `delete from memories where workspace_id = $1 and id in (
           select id from memories where workspace_id = $1 and end_user_id = $2 and agent_id = $3
           order by created_at desc, id desc offset ${mostFacts})`,
        [workspaceId, endUserId, agentId],
      )
      return kept.length
    }),

  async list({ workspaceId, endUserId }, agentId, { limit, cursor, order }) {
    const [createdUs, id] = decodeCursor(cursor, placeSchema) ?? [null, null]
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<MemoryRow>(
        `select id, agent_id, text, session_id, message_id, created_at,
           (extract(epoch from created_at) * 1e6)::float8 as created_us
         from memories
         where workspace_id = $1 and end_user_id = $2
           and ($3::uuid is null or agent_id = $3)
           and ($4::float8 is null
             or (created_at, id) ${following[order]} (timestamptz 'epoch' + $4 * interval '1 microsecond', $5::uuid))
         order by created_at ${order}, id ${order}
         limit $6`,
        [workspaceId, endUserId, agentId ?? null, createdUs, id, limit + 1],
      )
      return pageOf(rows, { limit, placeOf: (row) => [row.created_us, row.id], toItem: toMemory })
    })
  },

  forget: (owner, agentId) =>
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
