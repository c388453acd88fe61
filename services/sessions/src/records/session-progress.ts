/** Writes the progress of a conversation. Repeating a write changes nothing. */
import type {
  EndReason,
  SessionMessage,
  SessionStatus,
  SessionToolCall,
  SessionUsage,
  TurnMetrics,
} from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import { isLive } from './session-row.js'

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

/** Items to append. `firstPosition` is the number of those that were appended before. */
export interface Addition<Item> {
  readonly firstPosition: number
  readonly items: readonly Item[]
}

export interface MessageAddition extends Addition<SessionMessage> {
  /** The message that follows `items` and is not final yet. It replaces the one before; null leaves that as it is. */
  readonly inProgress: SessionMessage | null
}

/** What a write adds to the record of a conversation. */
export interface SessionAdditions {
  readonly messages: MessageAddition
  readonly turns: Addition<TurnMetrics>
  readonly toolCalls: Addition<SessionToolCall>
}

/** Answers false for a conversation that has ended or was removed: its record stays as it is. */
export const updateState = async (
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

/** Inserts messages. A message in progress is replaced by a later one at its position; a final one never is. */
export const addMessages = async (
  transaction: Queryable,
  workspaceId: string,
  sessionId: string,
  { firstPosition, items, inProgress }: MessageAddition,
): Promise<void> => {
  const messages = inProgress === null ? items : [...items, inProgress]
  if (messages.length === 0) return
  const sources = messages.map((message) => (message.sources === undefined ? null : JSON.stringify(message.sources)))
  await transaction.query(
    `insert into messages (workspace_id, session_id, position, id, role, text, text_bytes, interrupted, created_at,
       sources, sources_bytes, in_progress)
     select $1, $2, * from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::boolean[],
       $9::timestamptz[], $10::json[], $11::int[], $12::boolean[])
     on conflict (workspace_id, session_id, position) do update set
       id = excluded.id, role = excluded.role, text = excluded.text, text_bytes = excluded.text_bytes,
       interrupted = excluded.interrupted, created_at = excluded.created_at, sources = excluded.sources,
       sources_bytes = excluded.sources_bytes, in_progress = excluded.in_progress
     where messages.in_progress`,
    [
      workspaceId,
      sessionId,
      messages.map((_, index) => firstPosition + index),
      messages.map(({ id }) => id),
      messages.map(({ role }) => role),
      // Postgres cannot store this character.
      messages.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
      messages.map(({ text }) => Buffer.byteLength(text)),
      messages.map(({ interrupted }) => interrupted),
      messages.map(({ created_at }) => created_at),
      sources,
      sources.map((list) => Buffer.byteLength(list ?? '')),
      messages.map((message) => message === inProgress),
    ],
  )
}

/** Inserts the measurements of turns. */
export const addTurns = async (
  transaction: Queryable,
  workspaceId: string,
  sessionId: string,
  { firstPosition, items }: Addition<TurnMetrics>,
): Promise<void> => {
  if (items.length === 0) return
  await transaction.query(
    `insert into turns
       (workspace_id, session_id, position, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms,
       prepared_ms, speculation)
     select $1, $2, * from unnest($3::int[], $4::real[], $5::real[], $6::real[], $7::real[], $8::real[], $9::real[],
       $10::text[])
     on conflict do nothing`,
    [
      workspaceId,
      sessionId,
      items.map((_, index) => firstPosition + index),
      items.map(({ endpointing_ms }) => endpointing_ms),
      items.map(({ stt_ms }) => stt_ms),
      items.map(({ llm_ttft_ms }) => llm_ttft_ms),
      items.map(({ tts_ttfa_ms }) => tts_ttfa_ms),
      items.map(({ voice_to_voice_ms }) => voice_to_voice_ms),
      items.map(({ prepared_ms }) => prepared_ms),
      items.map(({ speculation }) => speculation),
    ],
  )
}
