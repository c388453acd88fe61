import type { Capability, Workspace } from '@parlance/contracts'
import type { Database } from '@parlance/store'

interface Row extends Omit<Workspace, 'created_at'> {
  created_at: Date
}

const columns = 'id, name, capabilities, suspended, created_at'

const toWorkspace = (row: Row | undefined): Workspace | undefined =>
  row && { ...row, created_at: row.created_at.toISOString() }

export interface WorkspaceRepository {
  create(workspace: { name: string; capabilities: readonly Capability[] }): Promise<Workspace>
  find(workspaceId: string): Promise<Workspace | undefined>
  /** What is undefined stays as it is. */
  update(
    workspaceId: string,
    changes: { capabilities: readonly Capability[] | undefined; suspended: boolean | undefined },
  ): Promise<Workspace | undefined>
}

export const createWorkspaceRepository = (database: Database): WorkspaceRepository => ({
  async create({ name, capabilities }) {
    const [row] = await database.query<Row>(
      `insert into workspaces (name, capabilities) values ($1, $2) returning ${columns}`,
      [name, capabilities],
    )
    return toWorkspace(row) as Workspace
  },
  async find(workspaceId) {
    const [row] = await database.query<Row>(`select ${columns} from workspaces where id = $1`, [workspaceId])
    return toWorkspace(row)
  },
  async update(workspaceId, { capabilities, suspended }) {
    const [row] = await database.query<Row>(
      `update workspaces
       set capabilities = coalesce($2, capabilities), suspended = coalesce($3, suspended)
       where id = $1 returning ${columns}`,
      [workspaceId, capabilities ?? null, suspended ?? null],
    )
    return toWorkspace(row)
  },
})
