import { addToAuditLog } from '@parlance/clients/outbox'
import {
  type AuditActor,
  type AuditEvent,
  type ModelProvider,
  maxModelProviders,
  type SealedModelProvider,
  ServiceError,
} from '@parlance/contracts'
import type { Database } from '@parlance/store'

interface Row extends SealedModelProvider {
  readonly name: string
  readonly created_at: Date
}

const columns = 'id, kind, name, url, sealed_key, created_at'

const toProvider = ({ sealed_key, created_at, ...row }: Row): ModelProvider => ({
  ...row,
  has_key: sealed_key !== null,
  created_at: created_at.toISOString(),
})

const eventOf = (
  action: Extract<AuditEvent['action'], `model_provider.${string}`>,
  { id, kind, name }: Pick<Row, 'id' | 'kind' | 'name'>,
  actor: AuditActor,
): AuditEvent => ({ action, actor, details: { provider_id: id, name, kind } })

/** The model providers of workspaces. Rejects with `unavailable` while Postgres cannot be reached. */
export const createProviderRepository = (database: Database) => ({
  /** Oldest first. */
  list: (workspaceId: string): Promise<ModelProvider[]> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<Row>(
        `select ${columns} from model_providers where workspace_id = $1 order by created_at, id`,
        [workspaceId],
      )
      return rows.map(toProvider)
    }),

  find: (workspaceId: string, id: string): Promise<SealedModelProvider | undefined> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<SealedModelProvider>(
        'select id, kind, url, sealed_key from model_providers where workspace_id = $1 and id = $2',
        [workspaceId, id],
      )
      return row
    }),

  /** Rejects with `invalid_request` when the workspace has the maximum number of providers. */
  add: (
    workspaceId: string,
    { id, kind, name, url, sealed_key }: SealedModelProvider & { readonly name: string },
    actor: AuditActor,
  ): Promise<ModelProvider> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      // The lock prevents two transactions from counting before either has inserted its row.
      await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [workspaceId])
      const [row] = await transaction.query<Row>(
        `insert into model_providers (workspace_id, id, kind, name, url, sealed_key)
         select $1, $2, $3, $4, $5, $6
         where (select count(*) from model_providers where workspace_id = $1) < $7
         returning ${columns}`,
        [workspaceId, id, kind, name, url, sealed_key, maxModelProviders],
      )
      if (row === undefined) {
        throw new ServiceError('invalid_request', `A workspace can have at most ${maxModelProviders} model providers.`)
      }
      await addToAuditLog(transaction, workspaceId, eventOf('model_provider.created', row, actor))
      return toProvider(row)
    }),

  /** Resolves with false when there is no such provider. */
  remove: (workspaceId: string, id: string, actor: AuditActor): Promise<boolean> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<Row>(
        `delete from model_providers where workspace_id = $1 and id = $2 returning ${columns}`,
        [workspaceId, id],
      )
      if (row === undefined) return false
      await addToAuditLog(transaction, workspaceId, eventOf('model_provider.deleted', row, actor))
      return true
    }),
})

export type ProviderRepository = ReturnType<typeof createProviderRepository>
