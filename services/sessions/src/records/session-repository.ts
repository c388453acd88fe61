import type { AuditActor, SessionOverview, SessionRequest, SessionSummary, SessionUsage } from '@parlance/contracts'
import type { Database, Page, PageRequest } from '@parlance/store'
import { auditRemovalWithSession } from '../recording/audit-events.js'
import { checkLimits, type SessionLimits } from './session-limits.js'
import { listSessions, type SessionFilter } from './session-list.js'
import { readOverview } from './session-overview.js'
import { addMessages, addTurns, type SessionAdditions, type SessionState, updateState } from './session-progress.js'
import { isLive, type SessionRow, sessionColumns, sessionTables, toSessionSummary } from './session-row.js'
import { addToolCalls } from './tool-call-repository.js'

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
  /** Of the API key that the usage is attributed to. */
  readonly keyId: string
  /** The Agent's model. */
  readonly llm: { readonly provider: string; readonly model: string }
}

/** The records of conversations. Every method rejects with `unavailable` while Postgres cannot be reached. */
export interface SessionRepository {
  /** Exact over all instances. Rejects with `concurrency_limited` when one of the limits is reached. */
  create(session: NewSession, limits: SessionLimits): Promise<void>
  /** Writes the progress of a conversation, in one transaction. Does nothing when it has ended or was removed. */
  write(workspaceId: string, sessionId: string, state: SessionState, additions: SessionAdditions): Promise<void>
  /** Adds tokens that were used after the end. Does nothing where the conversation was removed. */
  addLateUsage(
    workspaceId: string,
    sessionId: string,
    usage: Pick<SessionUsage, 'llm_input_tokens' | 'llm_output_tokens'>,
  ): Promise<void>
  find(workspaceId: string, sessionId: string): Promise<SessionSummary | undefined>
  /** By time of creation. */
  list(workspaceId: string, filter: SessionFilter, page: PageRequest): Promise<Page<SessionSummary>>
  /** Of the conversations that were created since the beginning of the day of `from`, in UTC. */
  overview(workspaceId: string, from: string): Promise<SessionOverview>
  /** The instance on which it is live, null where it has ended. Undefined when there is no such conversation. */
  findHolder(workspaceId: string, sessionId: string): Promise<{ instanceId: string | null } | undefined>
  /**
   * Resolves to false when the conversation does not exist. The audit log records who deleted its recording, unless `actor` is
   * undefined, as when a start is undone.
   */
  remove(workspaceId: string, sessionId: string, actor: AuditActor | undefined): Promise<boolean>
}

export const createSessionRepository = (database: Database): SessionRepository => ({
  create: (session, limits) =>
    database.inWorkspace(session.workspaceId, async (transaction) => {
      const { workspaceId, agentId } = session
      await checkLimits(transaction, workspaceId, agentId, limits)
      const metadata = JSON.stringify(session.metadata)
      await transaction.query(
        `insert into sessions
           (workspace_id, id, agent_id, publication_id, publication_version, end_user_id, instance_id, transport,
            input_mode, metadata, metadata_bytes, key_id, llm_provider, llm_model)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
          session.keyId,
          session.llm.provider,
          session.llm.model,
        ],
      )
    }),

  write: (workspaceId, sessionId, state, { messages, turns, toolCalls }) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      if (!(await updateState(transaction, workspaceId, sessionId, state))) return
      await addMessages(transaction, workspaceId, sessionId, messages)
      await addTurns(transaction, workspaceId, sessionId, turns)
      await addToolCalls(transaction, workspaceId, sessionId, toolCalls)
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

  list: (workspaceId, filter, page) =>
    database.inWorkspace(workspaceId, (transaction) => listSessions(transaction, workspaceId, filter, page)),

  overview: (workspaceId, from) =>
    database.inWorkspace(workspaceId, (transaction) => readOverview(transaction, workspaceId, from)),

  findHolder: (workspaceId, sessionId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<{ instance_id: string; live: boolean }>(
        `select instance_id, ${isLive} as live from sessions where workspace_id = $1 and id = $2`,
        [workspaceId, sessionId],
      )
      return row && { instanceId: row.live ? row.instance_id : null }
    }),

  remove: (workspaceId, sessionId, actor) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      if (actor !== undefined) await auditRemovalWithSession(transaction, workspaceId, sessionId, actor)
      const removed = await transaction.query('delete from sessions where workspace_id = $1 and id = $2 returning id', [
        workspaceId,
        sessionId,
      ])
      return removed.length > 0
    }),
})
