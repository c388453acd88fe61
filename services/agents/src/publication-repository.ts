import type { Publication } from '@parlance/contracts'
import { type Database, decodeCursor, following, type Page, type PageRequest, pageOf } from '@parlance/store'
import { z } from 'zod'

export interface PublicationRow {
  publication_id: string
  publication_version: number
  revision_id: string
  revision_version: number
  memory_enabled: boolean
  calendar_enabled: boolean
  published_at: Date
}

/** The columns of a publication `p` and its revision `r`. */
export const publicationColumns = `
  p.id as publication_id, p.version as publication_version, r.id as revision_id, r.version as revision_version,
  p.memory_enabled, p.calendar_enabled, p.created_at as published_at`

export const toPublication = (row: PublicationRow): Publication => ({
  id: row.publication_id,
  version: row.publication_version,
  revision: { id: row.revision_id, version: row.revision_version },
  memory_enabled: row.memory_enabled,
  calendar_enabled: row.calendar_enabled,
  created_at: row.published_at.toISOString(),
})

export const createPublicationRepository = (database: Database) => ({
  async list(workspaceId: string, agentId: string, { limit, cursor, order }: PageRequest): Promise<Page<Publication>> {
    const version = decodeCursor(cursor, z.int32()) ?? null
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<PublicationRow>(
        `select ${publicationColumns}
         from publications p
         join revisions r on r.workspace_id = $1 and r.agent_id = p.agent_id and r.id = p.revision_id
         where p.workspace_id = $1 and p.agent_id = $2 and ($3::integer is null or p.version ${following[order]} $3)
         order by p.version ${order} limit $4`,
        [workspaceId, agentId, version, limit + 1],
      )
      return pageOf(rows, { limit, placeOf: ({ publication_version }) => publication_version, toItem: toPublication })
    })
  },
})

export type PublicationRepository = ReturnType<typeof createPublicationRepository>
