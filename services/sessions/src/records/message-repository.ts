import type { SessionMessage, Source } from '@parlance/contracts'
import { type Database, decodeCursor, following, type Page, type PageRequest, pageOf } from '@parlance/store'
import { z } from 'zod'
import { didFit, fitsAnswer } from './fits-answer.js'

export interface MessageProgress {
  readonly finalMessages: number
  /** With the text that was played so far. */
  readonly inProgress: SessionMessage | null
}

/** The messages of conversations. Rejects with `unavailable` while Postgres cannot be reached. */
export interface MessageRepository {
  /** The number of final messages, and the message that is being spoken. */
  progress(workspaceId: string, sessionId: string): Promise<MessageProgress>
  /** In the order of the conversation. */
  list(workspaceId: string, sessionId: string, page: PageRequest): Promise<Page<SessionMessage>>
}

interface MessageRow {
  position: number
  id: string
  role: SessionMessage['role']
  text: string
  interrupted: boolean
  created_at: Date
  sources: Source[] | null
  fits: boolean
}

const placeSchema = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1)

const toMessage = ({ id, role, text, created_at, interrupted, sources }: Omit<MessageRow, 'fits'>): SessionMessage => ({
  id,
  role,
  text,
  created_at: created_at.toISOString(),
  interrupted,
  ...(sources !== null && { sources }),
})

export const createMessageRepository = (database: Database): MessageRepository => ({
  progress: (workspaceId, sessionId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<Omit<MessageRow, 'fits'> & { in_progress: boolean }>(
        `select position, id, role, text, interrupted, created_at, sources, in_progress from messages
         where workspace_id = $1 and session_id = $2 order by position desc limit 1`,
        [workspaceId, sessionId],
      )
      const [last] = rows
      if (last === undefined) return { finalMessages: 0, inProgress: null }
      return last.in_progress
        ? { finalMessages: last.position, inProgress: toMessage(last) }
        : { finalMessages: last.position + 1, inProgress: null }
    }),

  async list(workspaceId, sessionId, { limit, cursor, order }) {
    const after = decodeCursor(cursor, placeSchema) ?? null
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<MessageRow>(
        `select m.position, m.id, m.role, m.text, m.interrupted, m.created_at, m.sources,
           ${fitsAnswer('m.text_bytes + m.sources_bytes')}
         from messages m
         where m.workspace_id = $1 and m.session_id = $2 and not m.in_progress
           and ($3::int is null or m.position ${following[order]} $3)
         window page as (order by m.position ${order})
         order by m.position ${order}
         limit $4`,
        [workspaceId, sessionId, after, limit + 1],
      )
      return pageOf(rows, { limit, fits: didFit, placeOf: ({ position }) => position, toItem: toMessage })
    })
  },
})
