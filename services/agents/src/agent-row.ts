import { type Agent, type AgentConfig, agentConfigSchema, type Publication, ServiceError } from '@parlance/contracts'
import { fitsPage, type Queryable } from '@parlance/store'
import { type PublicationRow, publicationColumns, toPublication } from './publication-repository.js'

/**
 * The maximum size of all configurations on one page, so that the page fits into a message of the bus. A page of very large
 * configurations is shorter than its limit; its cursor works as usual.
 */
const maxPageBytes = 384 * 1024
const overheadBytes = 1024

/** The configuration of a revision `d`, or null once the page is full. The window `page` has the order of the rows. */
export const configWithinPage = `
  case when ${fitsPage({ bytes: 'd.config_bytes', overheadBytes, maxBytes: maxPageBytes })}
  then d.config end as config`

/** Whether a row was read with its configuration. */
export const hasConfig = ({ config }: { config: unknown }): boolean => config !== null

/** An Agent must fit into one message of the bus together with the rest of the reply. */
const maxConfigBytes = 256 * 1024

interface StoredConfig {
  readonly json: string
  readonly bytes: number
  readonly slug: string
  readonly searchText: string
}

/** Texts that differ only in case, or in the composition of accents, become equal. */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase()

/** The stored form of a configuration, and the text by which its Agent is found. Throws `invalid_request` when it is too big. */
export const storedConfig = (config: AgentConfig): StoredConfig => {
  const json = JSON.stringify(config)
  const bytes = Buffer.byteLength(json)
  if (bytes > maxConfigBytes) {
    throw new ServiceError('invalid_request', 'An Agent must be at most 256 KiB of JSON in all.')
  }
  const { slug, display_name, description } = config
  return { json, bytes, slug, searchText: foldCase([slug, display_name, description].join('\n')) }
}

/** A stored configuration with every field. One that was stored before a field existed has its default. */
export const toConfig = (stored: unknown): AgentConfig => agentConfigSchema.parse(stored)

/** An Agent that was never published has nulls in the columns of its publication. */
type ActivePublicationRow = PublicationRow | { [Column in keyof PublicationRow]: null }

export type AgentRow = ActivePublicationRow & {
  id: string
  draft_id: string
  draft_version: number
  /** As it was stored. */
  config: unknown
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

export const activePublication = (row: ActivePublicationRow): Publication | null =>
  row.publication_id === null ? null : toPublication(row)

export const toAgent = (row: AgentRow): Agent => ({
  ...toConfig(row.config),
  id: row.id,
  state: row.publication_id === null ? 'draft' : 'published',
  api_ready: row.api_ready ?? false,
  draft_revision: { id: row.draft_id, version: row.draft_version },
  active_publication: activePublication(row),
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
