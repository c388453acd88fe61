import {
  idSchema,
  type SessionRequest,
  type SessionStatus,
  type SessionSummary,
  type SessionUsage,
  type TurnMetrics,
} from '@parlance/contracts'
import { type Database, decodeCursor, following, type Page, type PageRequest, pageOf } from '@parlance/store'
import { z } from 'zod'
import { didFit, fitsAnswer } from './fits-answer.js'
import { checkLimits, type SessionLimits } from './session-limits.js'
import {
  type Addition,
  addMessages,
  addTurns,
  type MessageAddition,
  type SessionState,
  updateState,
} from './session-progress.js'
import { isLive, type SessionRow, sessionColumns, sessionTables, toSessionSummary } from './session-row.js'

/** A conversation that is about to begin. */
export interface NewSession {
  readonly id: string
  readonly workspaceId: string
  readonly agentId: string
  readonly publication: { readonly id: string; readonly version: number }
  readonly endUserId: string | null
  readonly instanceId: string
  readonly transport: SessionSummary['transport']
  readonly inputMode: SessionSummary['input_mode']
  readonly metadata: SessionRequest['metadata']
}

export interface SessionFilter {
  readonly agent_id?: string | undefined
  readonly end_user_id?: string | undefined
  readonly status?: SessionStatus | undefined
  readonly started_after?: string | undefined
  readonly started_before?: string | undefined
}

/** The records of conversations. Every method rejects with `unavailable` while Postgres cannot be reached. */
export interface SessionRepository {
  /** Exact over all instances. Rejects with `concurrency_limited` when one of the limits is reached. */
  create(session: NewSession, limits: SessionLimits): Promise<void>
  /** Writes how far a conversation has come, in one transaction. Does nothing where it has ended or was removed. */
  write(
    workspaceId: string,
    sessionId: string,
    state: SessionState,
    messages: MessageAddition,
    turns: Addition<TurnMetrics>,
  ): Promise<void>
  /** Adds tokens that were used after the end. Does nothing where the conversation was removed. */
  addLateUsage(
    workspaceId: string,
    sessionId: string,
    usage: Pick<SessionUsage, 'llm_input_tokens' | 'llm_output_tokens'>,
  ): Promise<void>
  find(workspaceId: string, sessionId: string): Promise<SessionSummary | undefined>
  /** By time of creation. */
  list(workspaceId: string, filter: SessionFilter, page: PageRequest): Promise<Page<SessionSummary>>
  /** The instance on which it is live, null where it has ended. Undefined when there is no such conversation. */
  findHolder(workspaceId: string, sessionId: string): Promise<{ instanceId: string | null } | undefined>
  /** Answers false when there is no such conversation. */
  remove(workspaceId: string, sessionId: string): Promise<boolean>
}

/** Where a page ends: when a conversation was created, in µs since 1970, and its id. */
const placeSchema = z.tuple([z.int().nonnegative(), idSchema])

export const createSessionRepository = (database: Database): SessionRepository => ({
  create: (session, limits) =>
    database.inWorkspace(session.workspaceId, async (transaction) => {
      const { workspaceId, agentId } = session
      await checkLimits(transaction, workspaceId, agentId, limits)
      const metadata = JSON.stringify(session.metadata)
      await transaction.query(
        `insert into sessions
           (workspace_id, id, agent_id, publication_id, publication_version, end_user_id, instance_id, transport,
            input_mode, metadata, metadata_bytes)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          workspaceId,
          session.id,
          agentId,
          session.publication.id,
          session.publication.version,
          session.endUserId,
          session.instanceId,
          session.transport,
          session.inputMode,
          metadata,
          Buffer.byteLength(metadata),
        ],
      )
    }),

  write: (workspaceId, sessionId, state, messages, turns) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      if (!(await updateState(transaction, workspaceId, sessionId, state))) return
      await addMessages(transaction, workspaceId, sessionId, messages)
      await addTurns(transaction, workspaceId, sessionId, turns)
    }),

  addLateUsage: (workspaceId, sessionId, usage) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `update sessions set llm_input_tokens = llm_input_tokens + $3, llm_output_tokens = llm_output_tokens + $4
         where workspace_id = $1 and id = $2`,
        [workspaceId, sessionId, usage.llm_input_tokens, usage.llm_output_tokens],
      )
    }),

  find: (workspaceId, sessionId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<SessionRow>(
        `select ${sessionColumns} from ${sessionTables} where s.workspace_id = $1 and s.id = $2`,
        [workspaceId, sessionId],
      )
      return row && toSessionSummary(row)
    }),

  async list(workspaceId, filter, { limit, cursor, order }) {
    const [createdUs, id] = decodeCursor(cursor, placeSchema) ?? [null, null]
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<SessionRow & { created_us: number; fits: boolean }>(
        `select ${sessionColumns}, ${fitsAnswer('s.metadata_bytes')},
           (extract(epoch from s.created_at) * 1e6)::float8 as created_us
         from ${sessionTables}
         where s.workspace_id = $1
           and ($2::uuid is null or s.agent_id = $2)
           and ($3::uuid is null or s.end_user_id = $3)
           and ($4::text is null or s.status = $4)
           and ($5::timestamptz is null or s.started_at > $5)
           and ($6::timestamptz is null or s.started_at < $6)
           and ($7::float8 is null
             or (s.created_at, s.id) ${following[order]} (timestamptz 'epoch' + $7 * interval '1 microsecond', $8::uuid))
         window page as (order by s.created_at ${order}, s.id ${order})
         order by s.created_at ${order}, s.id ${order}
         limit $9`,
        [
          workspaceId,
          filter.agent_id ?? null,
          filter.end_user_id ?? null,
          filter.status ?? null,
          filter.started_after ?? null,
          filter.started_before ?? null,
          createdUs,
          id,
          limit + 1,
        ],
      )
      return pageOf(rows, { limit, fits: didFit, placeOf: (row) => [row.created_us, row.id], toItem: toSessionSummary })
    })
  },

  findHolder: (workspaceId, sessionId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<{ instance_id: string; live: boolean }>(
        `select instance_id, ${isLive} as live from sessions where workspace_id = $1 and id = $2`,
        [workspaceId, sessionId],
      )
      return row && { instanceId: row.live ? row.instance_id : null }
    }),

  remove: (workspaceId, sessionId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const removed = await transaction.query('delete from sessions where workspace_id = $1 and id = $2 returning id', [
        workspaceId,
        sessionId,
      ])
      return removed.length > 0
    }),
})
