import type { Revision } from '@parlance/contracts'
import { type Database, decodeCursor, following, type Page, type PageRequest, pageOf } from '@parlance/store'
import { z } from 'zod'
import { configWithinPage, hasConfig, toConfig } from './agent-row.js'

interface Row {
  id: string
  version: number
  /** As it was stored. */
  config: unknown
  created_at: Date
}

const toRevision = ({ created_at, config, ...row }: Row): Revision => ({
  ...row,
  config: toConfig(config),
  created_at: created_at.toISOString(),
})

export const createRevisionRepository = (database: Database) => ({
  /** Undefined when the Agent has no such revision. */
  find: (workspaceId: string, agentId: string, revisionId: string): Promise<Revision | undefined> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<Row>(
        `select id, version, config, created_at from revisions
         where workspace_id = $1 and agent_id = $2 and id = $3`,
        [workspaceId, agentId, revisionId],
      )
      return row && toRevision(row)
    }),

  async list(workspaceId: string, agentId: string, { limit, cursor, order }: PageRequest): Promise<Page<Revision>> {
    const version = decodeCursor(cursor, z.int32()) ?? null
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<Row>(
        `select d.id, d.version, ${configWithinPage}, d.created_at
         from revisions d
         where d.workspace_id = $1 and d.agent_id = $2 and ($3::integer is null or d.version ${following[order]} $3)
         window page as (order by d.version ${order})
         order by d.version ${order} limit $4`,
        [workspaceId, agentId, version, limit + 1],
      )
      return pageOf(rows, { limit, fits: hasConfig, placeOf: (row) => row.version, toItem: toRevision })
    })
  },
})

export type RevisionRepository = ReturnType<typeof createRevisionRepository>
