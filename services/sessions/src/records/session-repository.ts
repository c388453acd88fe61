import {
  type AuditActor,
  type EndReason,
  ServiceError,
  type SessionRequest,
  type SessionStatus,
  type SessionSummary,
  type SessionUsage,
} from '@parlance/contracts'
import { type Database, type Page, type PageRequest, pageByTime, type Queryable, timeOrder } from '@parlance/store'
import type { ReplyUsage } from '../llm/language-model.js'
import { auditRemovalWithSession } from '../recording/recording-repository.js'
import { readOverview } from './session-overview.js'
import {
  fitsAnswer,
  isLive,
  type SessionRow,
  sessionColumns,
  sessionTables,
  toFeedback,
  toSessionSummary,
} from './session-row.js'
import { addMessages, addToolCalls, addTurns, type SessionAdditions } from './transcript-repository.js'

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

/** How many conversations may be live at once. */
interface SessionLimits {
  /** For all Agents of the workspace together; 0 for no limit. */
  readonly ofWorkspace: number
  /** For one Agent; null for no limit. */
  readonly ofAgent: number | null
}

/** The state of a conversation as a whole, which replaces the one before. */
export interface SessionState {
  readonly status: SessionStatus
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly endReason: EndReason | null
  readonly error: { readonly code: string; readonly detail: string } | null
  readonly usage: SessionUsage
  /** Decimal text. */
  readonly creditUsed: string
}

export interface SessionFilter {
  readonly agent_id?: string | undefined
  readonly end_user_id?: string | undefined
  readonly status?: SessionStatus | undefined
  readonly end_reason?: EndReason | undefined
  /** Contained in a message, in upper or lower case. */
  readonly text?: string | undefined
  readonly started_after?: string | undefined
  readonly started_before?: string | undefined
}

const limited = (owner: string, limit: number) =>
  new ServiceError(
    'concurrency_limited',
    `${owner} has ${limit} live conversations, which is the limit. Try again when one has ended.`,
  )

/**
 * Rejects with `concurrency_limited` if one more conversation would exceed a limit. The transaction keeps the lock of the workspace until
 * the transaction ends, so that no two transactions count before either has inserted its row.
 */
const checkLimits = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  { ofWorkspace, ofAgent }: SessionLimits,
): Promise<void> => {
  if (ofWorkspace === 0 && ofAgent === null) return
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [workspaceId])
  const [live] = await transaction.query<{ of_workspace: number; of_agent: number }>(
    `select count(*)::int as of_workspace, count(*) filter (where agent_id = $2)::int as of_agent
     from sessions where workspace_id = $1 and ${isLive}`,
    [workspaceId, agentId],
  )
  if (ofAgent !== null && live!.of_agent >= ofAgent) throw limited('The Agent', ofAgent)
  if (ofWorkspace > 0 && live!.of_workspace >= ofWorkspace) throw limited('The workspace', ofWorkspace)
}

/** Returns false for a conversation that has ended or was removed: its record stays as it is. */
const updateState = async (
  transaction: Queryable,
  workspaceId: string,
  sessionId: string,
  state: SessionState,
): Promise<boolean> => {
  const { usage } = state
  const updated = await transaction.query(
    `update sessions set status = $3, started_at = $4, ended_at = $5, end_reason = $6, error_code = $7,
       error_detail = $8, stt_seconds = $9, llm_input_tokens = $10, llm_output_tokens = $11, tts_characters = $12,
       credit_used = $13
     where workspace_id = $1 and id = $2 and ${isLive} returning id`,
    [
      workspaceId,
      sessionId,
      state.status,
      state.startedAt,
      state.endedAt,
      state.endReason,
      state.error?.code ?? null,
      state.error?.detail ?? null,
      usage.stt_seconds,
      usage.llm_input_tokens,
      usage.llm_output_tokens,
      usage.tts_characters,
      state.creditUsed,
    ],
  )
  return updated.length > 0
}

/** For `ilike`: anything that contains the text. */
const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** `fits` says whether the row fits into the answer. */
type FittingRow = SessionRow & { readonly fits: boolean }

const listSessions = async (
  transaction: Queryable,
  workspaceId: string,
  filter: SessionFilter,
  { limit, ...page }: PageRequest,
): Promise<Page<SessionSummary>> => {
  const { createdUs, isAfter, orderBy, values } = timeOrder(page, 's', 7)
  const rows = await transaction.query<FittingRow & { created_us: number }>(
    `select ${sessionColumns}, ${fitsAnswer("s.metadata_bytes + octet_length(coalesce(s.feedback_comment, ''))")},
       ${createdUs}
     from ${sessionTables}
     where s.workspace_id = $1
       and ($2::uuid is null or s.agent_id = $2)
       and ($3::uuid is null or s.end_user_id = $3)
       and ($4::text is null or s.status = $4)
       and ($5::timestamptz is null or s.started_at > $5)
       and ($6::timestamptz is null or s.started_at < $6)
       and ${isAfter}
       and ($10::text is null or s.end_reason = $10)
       and ($11::text is null or exists (
         select from messages m
         where m.workspace_id = $1 and m.session_id = s.id and m.text ilike $11))
     window page as (${orderBy})
     ${orderBy} limit $9`,
    [
      workspaceId,
      filter.agent_id ?? null,
      filter.end_user_id ?? null,
      filter.status ?? null,
      filter.started_after ?? null,
      filter.started_before ?? null,
      ...values,
      limit + 1,
      filter.end_reason ?? null,
      filter.text === undefined ? null : patternOf(filter.text),
    ],
  )
  return pageByTime<FittingRow, SessionSummary>(rows, { limit, fits: ({ fits }) => fits, toItem: toSessionSummary })
}

export type SessionRepository = ReturnType<typeof createSessionRepository>

/** The records of conversations. Every method rejects with `unavailable` while Postgres cannot be reached. */
export const createSessionRepository = (database: Database) => ({
  /** Exact over all instances. Rejects with `concurrency_limited` when one of the limits is reached. */
  create: (session: NewSession, limits: SessionLimits) =>
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

  /** Writes the progress of a conversation, in one transaction. Does nothing when it has ended or was removed. */
  write: (
    workspaceId: string,
    sessionId: string,
    state: SessionState,
    { messages, turns, toolCalls }: SessionAdditions,
  ) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      if (!(await updateState(transaction, workspaceId, sessionId, state))) return
      await addMessages(transaction, workspaceId, sessionId, messages)
      await addTurns(transaction, workspaceId, sessionId, turns)
      await addToolCalls(transaction, workspaceId, sessionId, toolCalls)
    }),

  /** Adds tokens that were used after the end. Does nothing if the conversation was removed. */
  addLateUsage: (workspaceId: string, sessionId: string, usage: ReplyUsage) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `update sessions set llm_input_tokens = llm_input_tokens + $3, llm_output_tokens = llm_output_tokens + $4
         where workspace_id = $1 and id = $2`,
        [workspaceId, sessionId, usage.llm_input_tokens, usage.llm_output_tokens],
      )
    }),

  find: (workspaceId: string, sessionId: string) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<SessionRow>(
        `select ${sessionColumns} from ${sessionTables} where s.workspace_id = $1 and s.id = $2`,
        [workspaceId, sessionId],
      )
      return row && toSessionSummary(row)
    }),

  /** By time of creation. */
  list: (workspaceId: string, filter: SessionFilter, page: PageRequest) =>
    database.inWorkspace(workspaceId, (transaction) => listSessions(transaction, workspaceId, filter, page)),

  /** Of the conversations that were created since the beginning of the day of `from`, in UTC. */
  overview: (workspaceId: string, from: string) =>
    database.inWorkspace(workspaceId, (transaction) => readOverview(transaction, workspaceId, from)),

  /** The instance on which it is live, null when it has ended. Undefined when there is no such conversation. */
  findLiveInstance: (workspaceId: string, sessionId: string) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<{ instance_id: string; live: boolean }>(
        `select instance_id, ${isLive} as live from sessions where workspace_id = $1 and id = $2`,
        [workspaceId, sessionId],
      )
      return row && { instanceId: row.live ? row.instance_id : null }
    }),

  /** Replaces the feedback. Undefined when there is no such conversation. */
  giveFeedback: (workspaceId: string, sessionId: string, score: -1 | 1, comment: string | null) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<SessionRow>(
        `update sessions set feedback_score = $3, feedback_comment = $4, feedback_at = clock_timestamp()
         where workspace_id = $1 and id = $2 returning feedback_score, feedback_comment, feedback_at`,
        [workspaceId, sessionId, score, comment],
      )
      return row && toFeedback(row)
    }),

  /** The audit log records who deleted its recording, unless `actor` is undefined, as when a start is undone. */
  remove: (workspaceId: string, sessionId: string, actor: AuditActor | undefined) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      if (actor !== undefined) await auditRemovalWithSession(transaction, workspaceId, sessionId, actor)
      await transaction.query('delete from sessions where workspace_id = $1 and id = $2', [workspaceId, sessionId])
    }),
})
