import type { SessionMessage, SessionToolCall, Source, TurnMetrics } from '@parlance/contracts'
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
import { fitsAnswer } from './session-row.js'

interface MessageRow {
  readonly position: number
  readonly id: string
  readonly role: SessionMessage['role']
  readonly text: string
  readonly interrupted: boolean
  readonly created_at: Date
  readonly sources: Source[] | null
}

interface ToolCallRow extends Omit<SessionToolCall, 'started_at'> {
  readonly position: number
  readonly started_at: Date
  readonly fits: boolean
}

const positionSchema = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1)

const toMessage = ({ id, role, text, created_at, interrupted, sources }: MessageRow): SessionMessage => ({
  id,
  role,
  text,
  created_at: created_at.toISOString(),
  interrupted,
  ...(sources !== null && { sources }),
})

export type TranscriptRepository = ReturnType<typeof createTranscriptRepository>

/** The messages, turns and tool calls of conversations. Rejects with `unavailable` while Postgres cannot be reached. */
export const createTranscriptRepository = (database: Database) => ({
  /** The number of final messages, and the message that is being spoken, with the text that was played so far. */
  progress: (workspaceId: string, sessionId: string) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [last] = await transaction.query<MessageRow & { in_progress: boolean }>(
        `select position, id, role, text, interrupted, created_at, sources, in_progress from messages
         where workspace_id = $1 and session_id = $2 order by position desc limit 1`,
        [workspaceId, sessionId],
      )
      if (last === undefined) return { finalMessages: 0, inProgress: null }
      return last.in_progress
        ? { finalMessages: last.position, inProgress: toMessage(last) }
        : { finalMessages: last.position + 1, inProgress: null }
    }),

  /** In the order of the conversation. */
  async listMessages(
    workspaceId: string,
    sessionId: string,
    { limit, cursor, order }: PageRequest,
  ): Promise<Page<SessionMessage>> {
    const after = decodeCursor(cursor, positionSchema) ?? null
    const rows = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<MessageRow & { fits: boolean }>(
        `select m.position, m.id, m.role, m.text, m.interrupted, m.created_at, m.sources,
           ${fitsAnswer('m.text_bytes + m.sources_bytes')}
         from messages m
         where m.workspace_id = $1 and m.session_id = $2 and not m.in_progress
           and ($3::int is null or m.position ${following[order]} $3)
         window page as (order by m.position ${order})
         order by m.position ${order}
         limit $4`,
        [workspaceId, sessionId, after, limit + 1],
      ),
    )
    return pageOf(rows, { limit, fits: ({ fits }) => fits, placeOf: ({ position }) => position, toItem: toMessage })
  },

  /** In the order of the conversation. */
  async listTurns(
    workspaceId: string,
    sessionId: string,
    { limit, cursor }: Omit<PageRequest, 'order'>,
  ): Promise<Page<TurnMetrics>> {
    const after = decodeCursor(cursor, positionSchema) ?? -1
    const rows = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<TurnMetrics & { position: number }>(
        `select position, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms, prepared_ms,
           speculation
         from turns where workspace_id = $1 and session_id = $2 and position > $3
         order by position limit $4`,
        [workspaceId, sessionId, after, limit + 1],
      ),
    )
    return pageOf(rows, {
      limit,
      placeOf: ({ position }) => position,
      toItem: ({ position: _, ...metrics }): TurnMetrics => metrics,
    })
  },

  /** In the order in which they ended. */
  async listToolCalls(
    workspaceId: string,
    sessionId: string,
    { limit, cursor }: Omit<PageRequest, 'order'>,
  ): Promise<Page<SessionToolCall>> {
    const after = decodeCursor(cursor, positionSchema) ?? -1
    const rows = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<ToolCallRow>(
        `select c.position, c.id, c.message_id, c.name, c.arguments, c.result, c.outcome, c.started_at, c.duration_ms,
           ${fitsAnswer('c.bytes')}
         from tool_calls c
         where c.workspace_id = $1 and c.session_id = $2 and c.position > $3
         window page as (order by c.position)
         order by c.position
         limit $4`,
        [workspaceId, sessionId, after, limit + 1],
      ),
    )
    return pageOf(rows, {
      limit,
      fits: ({ fits }) => fits,
      placeOf: ({ position }) => position,
      toItem: ({ position: _, fits: __, started_at, ...call }): SessionToolCall => ({
        ...call,
        started_at: started_at.toISOString(),
      }),
    })
  },
})

/** Items to append. `firstPosition` is the number of those that were appended before. */
export interface Addition<Item> {
  readonly firstPosition: number
  readonly items: readonly Item[]
}

/** What one write adds to the record of a conversation. Writing it again changes nothing. */
export interface SessionAdditions {
  readonly messages: Addition<SessionMessage> & {
    /** The message that follows `items` and is not final yet. It replaces the one before; null leaves that as it is. */
    readonly inProgress: SessionMessage | null
  }
  readonly turns: Addition<TurnMetrics>
  readonly toolCalls: Addition<SessionToolCall>
}

/** Postgres cannot store the character 0 in a text. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')

/** Inserts messages. A message in progress is replaced by a later one at its position; a final one never is. */
export const addMessages = async (
  transaction: Queryable,
  workspaceId: string,
  sessionId: string,
  { firstPosition, items, inProgress }: SessionAdditions['messages'],
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
      messages.map(({ text }) => storable(text)),
      messages.map(({ text }) => Buffer.byteLength(text)),
      messages.map(({ interrupted }) => interrupted),
      messages.map(({ created_at }) => created_at),
      sources,
      sources.map((list) => Buffer.byteLength(list ?? '')),
      messages.map((message) => message === inProgress),
    ],
  )
}

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

export const addToolCalls = async (
  transaction: Queryable,
  workspaceId: string,
  sessionId: string,
  { firstPosition, items }: Addition<SessionToolCall>,
): Promise<void> => {
  if (items.length === 0) return
  const rows = items.map((call) => ({
    ...call,
    name: storable(call.name),
    arguments: JSON.stringify(call.arguments),
    result: call.result === null ? null : storable(call.result),
  }))
  await transaction.query(
    `insert into tool_calls (workspace_id, session_id, position, id, message_id, name, arguments, result, outcome,
       started_at, duration_ms, bytes)
     select $1, $2, * from unnest($3::int[], $4::uuid[], $5::uuid[], $6::text[], $7::json[], $8::text[], $9::text[],
       $10::timestamptz[], $11::real[], $12::int[])
     on conflict do nothing`,
    [
      workspaceId,
      sessionId,
      rows.map((_, index) => firstPosition + index),
      rows.map(({ id }) => id),
      rows.map(({ message_id }) => message_id),
      rows.map(({ name }) => name),
      rows.map((row) => row.arguments),
      rows.map(({ result }) => result),
      rows.map(({ outcome }) => outcome),
      rows.map(({ started_at }) => started_at),
      rows.map(({ duration_ms }) => duration_ms),
      rows.map((row) => Buffer.byteLength(row.name + row.arguments + (row.result ?? ''))),
    ],
  )
}
