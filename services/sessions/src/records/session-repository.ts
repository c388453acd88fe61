import {
  type EndReason,
  idSchema,
  ServiceError,
  type SessionMessage,
  type SessionRequest,
  type SessionStatus,
  type SessionSummary,
  type SessionUsage,
  type TurnMetrics,
} from '@parlance/contracts'
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
import { didFit, fitsAnswer } from './fits-answer.js'
import { type SessionRow, sessionColumns, sessionTables, toSessionSummary } from './session-row.js'

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

/** What a conversation has come to, all of it: writing the same again changes nothing. */
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

/** What has been added since. `firstPosition` counts those that were there before. */
export interface Addition<Item> {
  readonly firstPosition: number
  readonly items: readonly Item[]
}

export interface SessionFilter {
  readonly agent_id?: string | undefined
  readonly end_user_id?: string | undefined
  readonly status?: SessionStatus | undefined
  readonly started_after?: string | undefined
  readonly started_before?: string | undefined
}

/** How many may live at once. */
export interface SessionLimits {
  /** Of the workspace, with all its Agents; 0 for no limit. */
  readonly ofWorkspace: number
  /** Null for no limit. */
  readonly ofAgent: number | null
}

/** Every method rejects with `unavailable` while Postgres cannot be reached. */
export interface SessionRepository {
  /** Exact over all instances: rejects with `concurrency_limited` when as many live as one of the limits allows. */
  create(session: NewSession, limits: SessionLimits): Promise<void>
  /** A record that is at its end, or was removed, stays so. */
  write(
    workspaceId: string,
    sessionId: string,
    state: SessionState,
    messages: Addition<SessionMessage>,
    turns: Addition<TurnMetrics>,
  ): Promise<void>
  /** What was used once it had ended. Nothing, where it was removed. */
  addLateUsage(
    workspaceId: string,
    sessionId: string,
    usage: Pick<SessionUsage, 'llm_input_tokens' | 'llm_output_tokens'>,
  ): Promise<void>
  find(workspaceId: string, sessionId: string): Promise<SessionSummary | undefined>
  /** By time of creation. */
  list(workspaceId: string, filter: SessionFilter, page: PageRequest): Promise<Page<SessionSummary>>
  /** The instance that holds it, null for one that is over. Undefined when there is no such conversation. */
  findHolder(workspaceId: string, sessionId: string): Promise<{ instanceId: string | null } | undefined>
  /** False when there is no such conversation. */
  remove(workspaceId: string, sessionId: string): Promise<boolean>
}

const live = `status in ('connecting', 'active', 'ending')`

/** When a conversation was begun, in µs, and its id. */
const placeSchema = z.tuple([z.int().nonnegative(), idSchema])

const tooMany = (whose: string) =>
  new ServiceError('concurrency_limited', `${whose} has as many conversations as it may. Try again when one has ended.`)

/** Rejects with `concurrency_limited`. */
const checkLimits = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  { ofWorkspace, ofAgent }: SessionLimits,
): Promise<void> => {
  if (ofWorkspace === 0 && ofAgent === null) return
  // Of all who begin one in this workspace, one at a time counts and adds to the count.
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [workspaceId])
  const [counted] = await transaction.query<{ count: number; of_agent: number }>(
    `select count(*)::int as count, count(*) filter (where agent_id = $2)::int as of_agent
     from sessions where workspace_id = $1 and ${live}`,
    [workspaceId, agentId],
  )
  if (ofAgent !== null && counted!.of_agent >= ofAgent) throw tooMany('The Agent')
  if (ofWorkspace > 0 && counted!.count >= ofWorkspace) throw tooMany('The workspace')
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
      const { usage } = state
      const updated = await transaction.query(
        `update sessions set status = $3, started_at = $4, ended_at = $5, end_reason = $6, error_code = $7,
           error_detail = $8, stt_seconds = $9, llm_input_tokens = $10, llm_output_tokens = $11, tts_characters = $12,
           credit_used = $13
         where workspace_id = $1 and id = $2 and ${live} returning id`,
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
      if (updated.length === 0) return
      if (messages.items.length > 0) {
        const sources = messages.items.map((message) => message.sources && JSON.stringify(message.sources))
        await transaction.query(
          `insert into messages (workspace_id, session_id, position, id, role, text, text_bytes, interrupted, created_at,
             sources, sources_bytes)
           select $1, $2, * from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::boolean[],
             $9::timestamptz[], $10::json[], $11::int[])
           on conflict do nothing`,
          [
            workspaceId,
            sessionId,
            messages.items.map((_, index) => messages.firstPosition + index),
            messages.items.map(({ id }) => id),
            messages.items.map(({ role }) => role),
            // The one character that Postgres has no place for.
            messages.items.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
            messages.items.map(({ text }) => Buffer.byteLength(text)),
            messages.items.map(({ interrupted }) => interrupted),
            messages.items.map(({ created_at }) => created_at),
            sources.map((list) => list ?? null),
            sources.map((list) => Buffer.byteLength(list ?? '')),
          ],
        )
      }
      if (turns.items.length > 0) {
        await transaction.query(
          `insert into turns
             (workspace_id, session_id, position, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms)
           select $1, $2, * from unnest($3::int[], $4::real[], $5::real[], $6::real[], $7::real[], $8::real[])
           on conflict do nothing`,
          [
            workspaceId,
            sessionId,
            turns.items.map((_, index) => turns.firstPosition + index),
            turns.items.map(({ endpointing_ms }) => endpointing_ms),
            turns.items.map(({ stt_ms }) => stt_ms),
            turns.items.map(({ llm_ttft_ms }) => llm_ttft_ms),
            turns.items.map(({ tts_ttfa_ms }) => tts_ttfa_ms),
            turns.items.map(({ voice_to_voice_ms }) => voice_to_voice_ms),
          ],
        )
      }
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
        `select instance_id, ${live} as live from sessions where workspace_id = $1 and id = $2`,
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
