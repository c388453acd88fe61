import type { Capability, Workspace, WorkspaceLimits } from '@parlance/contracts'
import type { Database } from '@parlance/store'

interface Row extends Omit<Workspace, 'created_at'> {
  created_at: Date
}

const columns = 'id, name, capabilities, suspended, max_concurrent_sessions, max_concurrent_streams, created_at'

const toWorkspace = (row: Row): Workspace => ({ ...row, created_at: row.created_at.toISOString() })

type Changeable = Pick<Workspace, 'suspended' | 'capabilities' | keyof WorkspaceLimits>
export type WorkspaceChanges = { readonly [Field in keyof Changeable]?: Changeable[Field] | undefined }

export interface WorkspaceRepository {
  create(workspace: { name: string; capabilities: readonly Capability[] } & WorkspaceLimits): Promise<Workspace>
  find(workspaceId: string): Promise<Workspace | undefined>
  /** Undefined unless the workspace has this key, and the key is not revoked. */
  findByKey(workspaceId: string, keyId: string): Promise<Workspace | undefined>
  /** Oldest first: those created after the workspace `after`, or all when it is undefined. */
  list(page: { after: string | undefined; limit: number }): Promise<Workspace[]>
  /** Changes the fields that are not undefined. Resolves to undefined when there is no such workspace. */
  update(workspaceId: string, changes: WorkspaceChanges): Promise<Workspace | undefined>
}

export const createWorkspaceRepository = (database: Database): WorkspaceRepository => ({
  async create({ name, capabilities, max_concurrent_sessions, max_concurrent_streams }) {
    const [row] = await database.query<Row>(
      `insert into workspaces (name, capabilities, max_concurrent_sessions, max_concurrent_streams)
       values ($1, $2, $3, $4) returning ${columns}`,
      [name, capabilities, max_concurrent_sessions, max_concurrent_streams],
    )
    return toWorkspace(row!)
  },
  async find(workspaceId) {
    const [row] = await database.query<Row>(`select ${columns} from workspaces where id = $1`, [workspaceId])
    return row && toWorkspace(row)
  },
  async findByKey(workspaceId, keyId) {
    const [row] = await database.query<Row>(
      `select ${columns} from workspaces
       where id = $1 and exists (
         select from api_keys where api_keys.id = $2 and workspace_id = $1 and revoked_at is null)`,
      [workspaceId, keyId],
    )
    return row && toWorkspace(row)
  },
  async list({ after, limit }) {
    const rows = await database.query<Row>(
      `select ${columns} from workspaces
       where $1::uuid is null or (created_at, id) > (select created_at, id from workspaces where id = $1)
       order by created_at, id limit $2`,
      [after ?? null, limit],
    )
    return rows.map(toWorkspace)
  },
  async update(workspaceId, { capabilities, suspended, max_concurrent_sessions, max_concurrent_streams }) {
    const [row] = await database.query<Row>(
      `update workspaces
       set capabilities = coalesce($2, capabilities), suspended = coalesce($3, suspended),
         max_concurrent_sessions = coalesce($4, max_concurrent_sessions),
         max_concurrent_streams = coalesce($5, max_concurrent_streams)
       where id = $1 returning ${columns}`,
      [
        workspaceId,
        capabilities ?? null,
        suspended ?? null,
        max_concurrent_sessions ?? null,
        max_concurrent_streams ?? null,
      ],
    )
    return row && toWorkspace(row)
  },
})
