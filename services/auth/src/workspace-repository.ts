import type { Capability, Workspace, WorkspaceLimits } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { actAs } from './audit/acting-person.js'

interface Row extends Omit<Workspace, 'created_at'> {
  created_at: Date
}

const columns = 'id, name, capabilities, suspended, max_concurrent_sessions, max_concurrent_streams, created_at'

const toWorkspace = (row: Row): Workspace => ({ ...row, created_at: row.created_at.toISOString() })

type Changeable = Pick<Workspace, 'name' | 'suspended' | 'capabilities' | keyof WorkspaceLimits>
type WorkspaceChanges = { readonly [Field in keyof Changeable]?: Changeable[Field] | undefined }

export const createWorkspaceRepository = (database: Database) => ({
  async create({
    name,
    capabilities,
    max_concurrent_sessions,
    max_concurrent_streams,
  }: { name: string; capabilities: readonly Capability[] } & WorkspaceLimits): Promise<Workspace> {
    const [row] = await database.query<Row>(
      `insert into workspaces (name, capabilities, max_concurrent_sessions, max_concurrent_streams)
       values ($1, $2, $3, $4) returning ${columns}`,
      [name, capabilities, max_concurrent_sessions, max_concurrent_streams],
    )
    return toWorkspace(row!)
  },
  async find(workspaceId: string): Promise<Workspace | undefined> {
    const [row] = await database.query<Row>(`select ${columns} from workspaces where id = $1`, [workspaceId])
    return row && toWorkspace(row)
  },
  /** Undefined unless the workspace has this key, and the key is not revoked. */
  async findByKey(workspaceId: string, keyId: string): Promise<Workspace | undefined> {
    const [row] = await database.query<Row>(
      `select ${columns} from workspaces
       where id = $1 and exists (
         select from api_keys where api_keys.id = $2 and workspace_id = $1 and revoked_at is null)`,
      [workspaceId, keyId],
    )
    return row && toWorkspace(row)
  },
  /**
   * Oldest first: those created after the workspace `after`, or all when it is undefined; with `search`, those with this part
   * of a name in any case, or with this id.
   */
  async list({
    after,
    limit,
    search,
  }: {
    after: string | undefined
    limit: number
    search: string | undefined
  }): Promise<Workspace[]> {
    const rows = await database.query<Row>(
      `select ${columns} from workspaces
       where ($1::uuid is null or (created_at, id) > (select created_at, id from workspaces where id = $1))
         and ($3::text is null or strpos(lower(name), lower($3)) > 0 or id::text = lower($3))
       order by created_at, id limit $2`,
      [after ?? null, limit, search ?? null],
    )
    return rows.map(toWorkspace)
  },
  /**
   * Changes the fields that are not undefined, for a person, or for an operator when `personId` is undefined. Resolves to
   * undefined when there is no such workspace.
   */
  update(workspaceId: string, changes: WorkspaceChanges, personId: string | undefined): Promise<Workspace | undefined> {
    const { name, capabilities, suspended, max_concurrent_sessions, max_concurrent_streams } = changes
    const values = [name, capabilities, suspended, max_concurrent_sessions, max_concurrent_streams]
    return actAs(database, personId, async (transaction) => {
      const [row] = await transaction.query<Row>(
        `update workspaces
         set name = coalesce($2, name), capabilities = coalesce($3, capabilities), suspended = coalesce($4, suspended),
           max_concurrent_sessions = coalesce($5, max_concurrent_sessions),
           max_concurrent_streams = coalesce($6, max_concurrent_streams)
         where id = $1 returning ${columns}`,
        [workspaceId, ...values.map((value) => value ?? null)],
      )
      return row && toWorkspace(row)
    })
  },
  /** Removes a suspended workspace with its keys, members and invitations. */
  delete: (workspaceId: string): Promise<'deleted' | 'active' | 'missing'> =>
    database.transaction(async (transaction) => {
      // A key or a member that is added now waits for this row, and then finds no workspace.
      const [row] = await transaction.query<Pick<Row, 'suspended'>>(
        'select suspended from workspaces where id = $1 for update',
        [workspaceId],
      )
      if (row === undefined) return 'missing'
      if (!row.suspended) return 'active'
      await transaction.query('delete from members where workspace_id = $1', [workspaceId])
      await transaction.query(
        'delete from api_key_digests d using api_keys k where k.id = d.key_id and k.workspace_id = $1',
        [workspaceId],
      )
      await transaction.query('delete from api_keys where workspace_id = $1', [workspaceId])
      await transaction.query('delete from workspaces where id = $1', [workspaceId])
      return 'deleted'
    }),
})

export type WorkspaceRepository = ReturnType<typeof createWorkspaceRepository>
