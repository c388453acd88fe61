import type { Agent, AgentConfig, Publication } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import { type PublicationRow, publicationColumns, toPublication } from './publication-repository.js'

/** An Agent that was never published has nulls in the columns of its publication. */
type StandingPublication = PublicationRow | { [Column in keyof PublicationRow]: null }

export type AgentRow = StandingPublication & {
  id: string
  draft_id: string
  draft_version: number
  config: AgentConfig
  api_ready: boolean | null
  created_at: Date
  updated_at: Date
}

/** The columns of an Agent from `agentTables`, without a configuration. */
export const agentColumns = `
  a.id, d.id as draft_id, d.version as draft_version, ${publicationColumns}, p.api_ready, a.created_at, a.updated_at`

/** An Agent `a` of workspace `$1`, its draft `d`, and its active publication `p` with the revision `r`. */
export const agentTables = `
  agents a
  join revisions d on d.workspace_id = $1 and d.agent_id = a.id and d.version = a.draft_version
  left join publications p on p.workspace_id = $1 and p.agent_id = a.id and p.version = a.publication_version
  left join revisions r on r.workspace_id = $1 and r.agent_id = a.id and r.id = p.revision_id`

export const standingPublication = (row: StandingPublication): Publication | null =>
  row.publication_id === null ? null : toPublication(row)

export const toAgent = (row: AgentRow): Agent => ({
  ...row.config,
  id: row.id,
  state: row.publication_id === null ? 'draft' : 'published',
  api_ready: row.api_ready ?? false,
  draft_revision: { id: row.draft_id, version: row.draft_version },
  active_publication: standingPublication(row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Resolves to undefined for an Agent that does not exist or is deleted. */
export const readAgent = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
): Promise<AgentRow | undefined> => {
  const [row] = await transaction.query<AgentRow>(
    `select ${agentColumns}, d.config from ${agentTables}
     where a.workspace_id = $1 and a.id = $2 and a.deleted_at is null`,
    [workspaceId, agentId],
  )
  return row
}
