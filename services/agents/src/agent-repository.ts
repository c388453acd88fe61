import { type Agent, type AgentConfig, idSchema, type Publication } from '@parlance/contracts'
import { type Database, decodeCursor, following, type Page, type PageRequest, pageOf } from '@parlance/store'
import { z } from 'zod'
import {
  type AgentRow,
  agentColumns,
  agentTables,
  configWithinPage,
  foldCase,
  hasConfig,
  readAgent,
  standingPublication,
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

/** All methods treat a deleted Agent as one that does not exist. */
export interface AgentRepository {
  /** `headers` are the values that `config` has ids of. Throws `slug_taken`. */
  create(workspaceId: string, config: AgentConfig, headers: readonly SealedHeader[]): Promise<Agent>
  find(workspaceId: string, agentId: string): Promise<Agent | undefined>
  exists(workspaceId: string, agentId: string): Promise<boolean>
  /** By time of creation. */
  list(workspaceId: string, filter: AgentFilter, page: PageRequest): Promise<Page<Agent>>
  /**
   * Runs `work` while the Agent is locked. Nothing changes when `work` rejects. Resolves to undefined when there is no such
   * Agent.
   */
  whileLocked<Result>(
    workspaceId: string,
    agentId: string,
    work: (agent: LockedAgent) => Promise<Result>,
  ): Promise<Result | undefined>
  /** Null before the first publication. Undefined when there is no such Agent. */
  findPublished(
    workspaceId: string,
    agentId: string,
  ): Promise<{ publication: Publication; config: AgentConfig } | null | undefined>
  /** The active publication of an Agent of any workspace. Undefined when there is none. */
  findPublishedAnywhere(agentId: string): Promise<{ workspaceId: string; config: AgentConfig } | undefined>
  /** The values of the headers of the Agent's MCP servers, of all its revisions. */
  listHeaders(workspaceId: string, agentId: string): Promise<Pick<SealedHeader, 'id' | 'sealed'>[]>
}

/** The position of an Agent in a list: its time of creation in µs, and its id. */
const positionSchema = z.tuple([z.int().nonnegative(), idSchema])

const patternOf = (text: string): string => `%${foldCase(text).replace(/[\\%_]/g, '\\$&')}%`

export const createAgentRepository = (database: Database): AgentRepository => ({
  create(workspaceId, config, headers) {
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

  find: (workspaceId, agentId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const row = await readAgent(transaction, workspaceId, agentId)
      return row && toAgent(row)
    }),

  exists: (workspaceId, agentId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query(
        'select from agents where workspace_id = $1 and id = $2 and deleted_at is null',
        [workspaceId, agentId],
      )
      return rows.length > 0
    }),

  async list(workspaceId, { slug, state, q }, { limit, cursor, order }) {
    const [createdUs, id] = decodeCursor(cursor, positionSchema) ?? [null, null]
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<AgentRow & { created_us: number }>(
        `select ${agentColumns}, ${configWithinPage}, (extract(epoch from a.created_at) * 1e6)::float8 as created_us
         from ${agentTables}
         where a.workspace_id = $1 and a.deleted_at is null
           and ($2::text is null or a.slug = $2)
           and ($3::boolean is null or (a.publication_version is not null) = $3)
           and ($4::text is null or a.search_text like $4)
           and ($5::float8 is null or
             (a.created_at, a.id) ${following[order]} (timestamptz 'epoch' + $5 * interval '1 microsecond', $6::uuid))
         window page as (order by a.created_at ${order}, a.id ${order})
         order by a.created_at ${order}, a.id ${order}
         limit $7`,
        [
          workspaceId,
          slug ?? null,
          state === undefined ? null : state === 'published',
          q === undefined ? null : patternOf(q),
          createdUs,
          id,
          limit + 1,
        ],
      )
      return pageOf(rows, { limit, fits: hasConfig, placeOf: (row) => [row.created_us, row.id], toItem: toAgent })
    })
  },

  whileLocked: (workspaceId, agentId, work) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const agent = await lockAgent(transaction, workspaceId, agentId)
      return agent && work(agent)
    }),

  listHeaders: (workspaceId, agentId) => listHeaders(database, workspaceId, agentId),

  findPublished: (workspaceId, agentId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<AgentRow>(
        `select ${agentColumns}, r.config from ${agentTables}
         where a.workspace_id = $1 and a.id = $2 and a.deleted_at is null`,
        [workspaceId, agentId],
      )
      const publication = row && standingPublication(row)
      return publication && { publication, config: toConfig(row.config) }
    }),

  findPublishedAnywhere: (agentId) =>
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
