import type { Agent, AgentConfig, Publication } from '@parlance/contracts'
import { type Database, type Page, type PageRequest, pageByTime, timeOrder } from '@parlance/store'
import {
  type AgentRow,
  activePublication,
  agentColumns,
  agentTables,
  configWithinPage,
  foldCase,
  hasConfig,
  readAgent,
  storedConfig,
  toAgent,
  toConfig,
} from './agent-row.js'
import { type LockedAgent, lockAgent, slugTaken } from './locked-agent.js'
import { assertHeadersKnown, insertHeaders, listHeaders, type SealedHeader } from './sealed-headers.js'

export interface AgentFilter {
  readonly slug: string | undefined
  readonly state: 'draft' | 'published' | undefined
  readonly q: string | undefined
}

const patternOf = (text: string): string => `%${foldCase(text).replace(/[\\%_]/g, '\\$&')}%`

/** All methods treat a deleted Agent as one that does not exist. */
export const createAgentRepository = (database: Database) => ({
  /** `headers` are the values that `config` has ids of. Throws `slug_taken`. */
  create(workspaceId: string, config: AgentConfig, headers: readonly SealedHeader[]): Promise<Agent> {
    const { json, bytes, slug, searchText } = storedConfig(config)
    return database.inWorkspace(workspaceId, async (transaction) => {
      const [created] = await transaction.query<{ id: string }>(
        `with agent as (
           insert into agents (workspace_id, slug, search_text) values ($1, $2, $3)
           on conflict (workspace_id, slug) where deleted_at is null do nothing
           returning id
         ), revision as (
           insert into revisions (workspace_id, agent_id, version, config, config_bytes)
           select $1, id, 1, $4, $5 from agent
         )
         select id from agent`,
        [workspaceId, slug, searchText, json, bytes],
      )
      if (created === undefined) throw slugTaken(slug)
      await insertHeaders(transaction, workspaceId, created.id, headers)
      await assertHeadersKnown(transaction, workspaceId, created.id, config.tools)
      return toAgent((await readAgent(transaction, workspaceId, created.id))!)
    })
  },

  find: (workspaceId: string, agentId: string): Promise<Agent | undefined> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const row = await readAgent(transaction, workspaceId, agentId)
      return row && toAgent(row)
    }),

  exists: (workspaceId: string, agentId: string): Promise<boolean> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query(
        'select from agents where workspace_id = $1 and id = $2 and deleted_at is null',
        [workspaceId, agentId],
      )
      return rows.length > 0
    }),

  /** By time of creation. */
  async list(
    workspaceId: string,
    { slug, state, q }: AgentFilter,
    { limit, ...page }: PageRequest,
  ): Promise<Page<Agent>> {
    const { createdUs, isAfter, orderBy, values } = timeOrder(page, 'a', 5)
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<AgentRow & { created_us: number }>(
        `select ${agentColumns}, ${configWithinPage}, ${createdUs}
         from ${agentTables}
         where a.workspace_id = $1 and a.deleted_at is null
           and ($2::text is null or a.slug = $2)
           and ($3::boolean is null or (a.publication_version is not null) = $3)
           and ($4::text is null or a.search_text like $4)
           and ${isAfter}
         window page as (${orderBy})
         ${orderBy} limit $7`,
        [
          workspaceId,
          slug ?? null,
          state === undefined ? null : state === 'published',
          q === undefined ? null : patternOf(q),
          ...values,
          limit + 1,
        ],
      )
      return pageByTime(rows, { limit, fits: hasConfig, toItem: toAgent })
    })
  },

  /**
   * Runs `work` while the Agent is locked. Nothing changes when `work` rejects. Resolves to undefined when there is no such
   * Agent.
   */
  whileLocked: <Result>(
    workspaceId: string,
    agentId: string,
    work: (agent: LockedAgent) => Promise<Result>,
  ): Promise<Result | undefined> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const agent = await lockAgent(transaction, workspaceId, agentId)
      return agent && work(agent)
    }),

  /** The values of the headers of the Agent's MCP servers, of all its revisions. */
  listHeaders: (workspaceId: string, agentId: string): Promise<Pick<SealedHeader, 'id' | 'sealed'>[]> =>
    listHeaders(database, workspaceId, agentId),

  /** Null before the first publication. Undefined when there is no such Agent. */
  findPublished: (
    workspaceId: string,
    agentId: string,
  ): Promise<{ publication: Publication; config: AgentConfig } | null | undefined> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<AgentRow>(
        `select ${agentColumns}, r.config from ${agentTables}
         where a.workspace_id = $1 and a.id = $2 and a.deleted_at is null`,
        [workspaceId, agentId],
      )
      const publication = row && activePublication(row)
      return publication && { publication, config: toConfig(row.config) }
    }),

  /** The active publication of an Agent of any workspace. Undefined when there is none. */
  findPublishedAnywhere: (agentId: string): Promise<{ workspaceId: string; config: AgentConfig } | undefined> =>
    database.acrossWorkspaces(async (transaction) => {
      const [row] = await transaction.query<{ workspace_id: string; config: unknown }>(
        `select a.workspace_id, r.config from agents a
           join publications p
             on p.workspace_id = a.workspace_id and p.agent_id = a.id and p.version = a.publication_version
           join revisions r on r.workspace_id = a.workspace_id and r.agent_id = a.id and r.id = p.revision_id
         where a.id = $1 and a.deleted_at is null`,
        [agentId],
      )
      return row && { workspaceId: row.workspace_id, config: toConfig(row.config) }
    }),
})

export type AgentRepository = ReturnType<typeof createAgentRepository>
