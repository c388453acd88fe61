import type { Capability, Workspace } from '@parlance/contracts'
import type { Database } from '@parlance/store'

interface Row extends Omit<Workspace, 'created_at'> {
  created_at: Date
}

const columns = 'id, name, capabilities, suspended, created_at'

const toWorkspace = (row: Row): Workspace => ({ ...row, created_at: row.created_at.toISOString() })

export interface WorkspaceRepository {
  create(workspace: { name: string; capabilities: readonly Capability[] }): Promise<Workspace>
  find(workspaceId: string): Promise<Workspace | undefined>
  /** Oldest first: those that were made after the workspace `after`, or from the first one on. */
  list(page: { after: string | undefined; limit: number }): Promise<Workspace[]>
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
    return toWorkspace(row!)
  },
  async find(workspaceId) {
    const [row] = await database.query<Row>(`select ${columns} from workspaces where id = $1`, [workspaceId])
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
  async update(workspaceId, { capabilities, suspended }) {
    const [row] = await database.query<Row>(
      `update workspaces
       set capabilities = coalesce($2, capabilities), suspended = coalesce($3, suspended)
       where id = $1 returning ${columns}`,
      [workspaceId, capabilities ?? null, suspended ?? null],
    )
    return row && toWorkspace(row)
  },
})
