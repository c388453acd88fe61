import type { SessionToolCall } from '@parlance/contracts'
import { type Database, decodeCursor, type Page, type PageRequest, pageOf, type Queryable } from '@parlance/store'
import { z } from 'zod'
import { didFit, fitsAnswer } from './fits-answer.js'
import type { Addition } from './session-progress.js'

/** The calls of tools in conversations. Rejects with `unavailable` while Postgres cannot be reached. */
export interface ToolCallRepository {
  /** In the order in which they ended. */
  list(workspaceId: string, sessionId: string, page: Omit<PageRequest, 'order'>): Promise<Page<SessionToolCall>>
}

interface ToolCallRow extends Omit<SessionToolCall, 'started_at'> {
  readonly position: number
  readonly started_at: Date
  readonly fits: boolean
}

const placeSchema = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1)

/** Postgres cannot store the character 0 in a text. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')

export const createToolCallRepository = (database: Database): ToolCallRepository => ({
  async list(workspaceId, sessionId, { limit, cursor }) {
    const after = decodeCursor(cursor, placeSchema) ?? -1
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<ToolCallRow>(
        `select c.position, c.id, c.message_id, c.name, c.arguments, c.result, c.outcome, c.started_at, c.duration_ms,
           ${fitsAnswer('c.bytes')}
         from tool_calls c
         where c.workspace_id = $1 and c.session_id = $2 and c.position > $3
         window page as (order by c.position)
         order by c.position
         limit $4`,
        [workspaceId, sessionId, after, limit + 1],
      )
      return pageOf(rows, {
        limit,
        fits: didFit,
        placeOf: ({ position }) => position,
        toItem: ({ position: _, fits: __, started_at, ...call }): SessionToolCall => ({
          ...call,
          started_at: started_at.toISOString(),
        }),
      })
    })
  },
})

/** Inserts calls. To insert the same again changes nothing. */
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
