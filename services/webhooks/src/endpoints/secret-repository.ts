import { randomBytes } from 'node:crypto'
import type { Peppers } from '@parlance/clients/api-key'
import { createSealing, openDirectlySealed } from '@parlance/clients/sealing'
import type { Database, Queryable } from '@parlance/store'

/**
 * Signing secrets are needed in the clear at each delivery, so they are stored sealed under a pepper, which the database
 * does not have.
 */

export interface EndpointName {
  readonly workspaceId: string
  readonly endpointId: string
}

export interface SealedSecret {
  readonly sealed: string
  readonly pepperVersion: number
}

const secretBytes = 32

/** A new secret, as Standard Webhooks writes it. */
export const createSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`

const ownerOf = ({ workspaceId, endpointId }: EndpointName): string => `${workspaceId} ${endpointId}`

const sealingOf = (peppers: Peppers) => createSealing(peppers, 'secrets of webhooks')

/** Seals under the current pepper, only for this endpoint. */
export const sealSecret = async (peppers: Peppers, name: EndpointName, secret: string): Promise<SealedSecret> => ({
  sealed: await sealingOf(peppers).seal(secret, ownerOf(name)),
  pepperVersion: peppers[0].version,
})

/** Undefined when its pepper was removed or has another secret now. */
export const openSecret = async (
  peppers: Peppers,
  name: EndpointName,
  { sealed }: SealedSecret,
): Promise<string | undefined> =>
  (await sealingOf(peppers).open(sealed, ownerOf(name))) ??
  openDirectlySealed(peppers, 'parlance webhook secret', sealed, ownerOf(name))

interface Row {
  workspace_id: string
  endpoint_id: string
  id: string
  sealed: string
  pepper_version: number
}

const toSealed = ({ sealed, pepper_version }: Row): SealedSecret => ({ sealed, pepperVersion: pepper_version })

const nameOf = (row: Row): EndpointName => ({ workspaceId: row.workspace_id, endpointId: row.endpoint_id })

/** Creates and stores a secret. Resolves with it in the clear. */
export const addSecret = async (transaction: Queryable, peppers: Peppers, name: EndpointName): Promise<string> => {
  const secret = createSecret()
  const { sealed, pepperVersion } = await sealSecret(peppers, name, secret)
  await transaction.query(
    'insert into secrets (workspace_id, endpoint_id, sealed, pepper_version) values ($1, $2, $3, $4)',
    [name.workspaceId, name.endpointId, sealed, pepperVersion],
  )
  return secret
}

/** Secrets without an end get this one, and those that have expired are removed. */
export const expireSecrets = async (
  transaction: Queryable,
  { workspaceId, endpointId }: EndpointName,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> => {
  await transaction.query('delete from secrets where workspace_id = $1 and endpoint_id = $2 and expires_at <= $3', [
    workspaceId,
    endpointId,
    now,
  ])
  await transaction.query(
    'update secrets set expires_at = $3 where workspace_id = $1 and endpoint_id = $2 and expires_at is null',
    [workspaceId, endpointId, expiresAt],
  )
}

/** The current secrets, the newest first. */
export const findSealedSecrets = async (
  transaction: Queryable,
  { workspaceId, endpointId }: EndpointName,
  now: Date,
): Promise<SealedSecret[]> => {
  const rows = await transaction.query<Row>(
    `select workspace_id, endpoint_id, id, sealed, pepper_version from secrets
     where workspace_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > $3)
     order by created_at desc, id`,
    [workspaceId, endpointId, now],
  )
  return rows.map(toSealed)
}

/**
 * Seals all secrets under the current pepper, so that earlier ones can be removed from the environment. Secrets that cannot be
 * opened are left unchanged. Resolves with the numbers of both.
 */
export const resealSecrets = (
  database: Database,
  peppers: Peppers,
): Promise<{ resealed: number; unreadable: number }> =>
  database.acrossWorkspaces(async (transaction) => {
    const rows = await transaction.query<Row>(
      `select workspace_id, endpoint_id, id, sealed, pepper_version from secrets where pepper_version <> $1
       order by workspace_id, endpoint_id, id for update skip locked`,
      [peppers[0].version],
    )
    let resealed = 0
    for (const row of rows) {
      const secret = await openSecret(peppers, nameOf(row), toSealed(row))
      if (secret === undefined) continue
      const { sealed, pepperVersion } = await sealSecret(peppers, nameOf(row), secret)
      await transaction.query(
        'update secrets set sealed = $4, pepper_version = $5 where workspace_id = $1 and endpoint_id = $2 and id = $3',
        [row.workspace_id, row.endpoint_id, row.id, sealed, pepperVersion],
      )
      resealed += 1
    }
    return { resealed, unreadable: rows.length - resealed }
  })
