import type { TurnMetrics } from '@parlance/contracts'
import { type Database, decodeCursor, type Page, type PageRequest, pageOf } from '@parlance/store'
import { z } from 'zod'

/** The measurements of the turns of conversations. Rejects with `unavailable` while Postgres cannot be reached. */
export interface TurnRepository {
  /** In the order of the conversation. */
  list(workspaceId: string, sessionId: string, page: Omit<PageRequest, 'order'>): Promise<Page<TurnMetrics>>
}

interface TurnRow extends TurnMetrics {
  readonly position: number
}

const placeSchema = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1)

export const createTurnRepository = (database: Database): TurnRepository => ({
  async list(workspaceId, sessionId, { limit, cursor }) {
    const after = decodeCursor(cursor, placeSchema) ?? -1
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<TurnRow>(
        `select position, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms, prepared_ms, speculation
         from turns where workspace_id = $1 and session_id = $2 and position > $3
         order by position limit $4`,
        [workspaceId, sessionId, after, limit + 1],
      )
      return pageOf(rows, {
        limit,
        placeOf: ({ position }) => position,
        toItem: ({ position: _, ...metrics }): TurnMetrics => metrics,
      })
    })
  },
})
