import type { ModelKeys } from '@parlance/clients/model-keys'
import type { Database } from '@parlance/store'

/** The column of each table that contains sealed secrets. */
const sealedColumns = {
  model_providers: 'sealed_key',
  sealed_headers: 'sealed',
  phone_numbers: 'sealed_auth_token',
} as const

/** Replaces each secret for which `reseal` resolves to another sealed text. Resolves with the number of them. */
export const resealTable = (
  database: Database,
  table: keyof typeof sealedColumns,
  reseal: ModelKeys['reseal'],
): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const column = sealedColumns[table]
    const rows = await transaction.query<{ workspace_id: string; id: string; before: string }>(
      `select workspace_id, id, ${column} as before from ${table} where ${column} is not null
       order by workspace_id, id for update skip locked`,
    )
    let resealed = 0
    for (const { workspace_id, id, before } of rows) {
      const sealed = await reseal({ workspaceId: workspace_id, providerId: id }, before)
      if (sealed === undefined) continue
      await transaction.query(`update ${table} set ${column} = $3 where workspace_id = $1 and id = $2`, [
        workspace_id,
        id,
        sealed,
      ])
      resealed += 1
    }
    return resealed
  })
