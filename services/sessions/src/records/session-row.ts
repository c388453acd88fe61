import { parseCredit, printCredit } from '@parlance/clients/credit'
import type { EndReason, SessionStatus, SessionSummary } from '@parlance/contracts'
import { roundToTenth } from '@parlance/speech'
import { fitsPage } from '@parlance/store'

/** The condition for a conversation that has not ended. The partial index `sessions_live` has the same. */
export const isLive = `status in ('connecting', 'active', 'ending')`

export interface SessionRow {
  id: string
  agent_id: string
  publication_id: string
  publication_version: number
  end_user_id: string | null
  status: SessionStatus
  transport: SessionSummary['transport']
  input_mode: SessionSummary['input_mode']
  created_at: Date
  started_at: Date | null
  ended_at: Date | null
  duration_seconds: number
  end_reason: EndReason | null
  error_code: string | null
  error_detail: string | null
  stt_seconds: number
  llm_input_tokens: number
  llm_output_tokens: number
  tts_characters: number
  credit_used: string
  p50: number | null
  p95: number | null
  feedback_score: -1 | 1 | null
  feedback_comment: string | null
  feedback_at: Date | null
  metadata: Record<string, unknown>
}

/** From `sessionTables`. Counts are read as float8, because bigint is read as text; float8 is exact up to 2^53. */
export const sessionColumns = `
  s.id, s.agent_id, s.publication_id, s.publication_version, s.end_user_id, s.status, s.transport, s.input_mode,
  s.created_at, s.started_at, s.ended_at, s.end_reason, s.error_code, s.error_detail, s.stt_seconds,
  s.llm_input_tokens::float8 as llm_input_tokens, s.llm_output_tokens::float8 as llm_output_tokens,
  s.tts_characters::float8 as tts_characters, s.credit_used, s.metadata,
  s.feedback_score, s.feedback_comment, s.feedback_at, latency.p50, latency.p95,
  coalesce(extract(epoch from coalesce(s.ended_at, now()) - s.started_at), 0)::float8 as duration_seconds`

/** Conversations `s` of workspace `$1`, each with the latency of its turns. */
export const sessionTables = `
  sessions s
  left join lateral (
    select percentile_cont(0.5) within group (order by t.voice_to_voice_ms) as p50,
           percentile_cont(0.95) within group (order by t.voice_to_voice_ms) as p95
    from turns t where t.workspace_id = $1 and t.session_id = s.id and t.voice_to_voice_ms is not null
  ) latency on true`

export const toFeedback = (
  row: Pick<SessionRow, 'feedback_score' | 'feedback_comment' | 'feedback_at'>,
): SessionSummary['feedback'] =>
  row.feedback_score === null
    ? null
    : { score: row.feedback_score, comment: row.feedback_comment, created_at: row.feedback_at!.toISOString() }

export const toSessionSummary = (row: SessionRow): SessionSummary => ({
  id: row.id,
  agent_id: row.agent_id,
  publication: { id: row.publication_id, version: row.publication_version },
  end_user_id: row.end_user_id,
  status: row.status,
  transport: row.transport,
  input_mode: row.input_mode,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
  duration_seconds: Math.max(0, Math.round(row.duration_seconds * 1000) / 1000),
  end_reason: row.end_reason,
  error: row.error_code === null ? null : { code: row.error_code, detail: row.error_detail ?? '' },
  usage: {
    stt_seconds: Math.round(row.stt_seconds * 1000) / 1000,
    llm_input_tokens: row.llm_input_tokens,
    llm_output_tokens: row.llm_output_tokens,
    tts_characters: row.tts_characters,
  },
  credit_used: printCredit(parseCredit(row.credit_used)),
  latency:
    row.p50 === null
      ? null
      : { voice_to_voice_ms: { p50: roundToTenth(row.p50), p95: roundToTenth(row.p95 ?? row.p50) } },
  feedback: toFeedback(row),
  metadata: row.metadata,
})

/** The maximum bytes of text in one reply. With its other fields the reply fits into one bus message. */
const maxAnswerBytes = 320 * 1024
const overheadBytes = 1024

/** An SQL column: whether a row with `bytes` of text still fits into the reply. The window `page` orders the rows. */
export const fitsAnswer = (bytes: string): string =>
  `${fitsPage({ bytes, overheadBytes, maxBytes: maxAnswerBytes })} as fits`
