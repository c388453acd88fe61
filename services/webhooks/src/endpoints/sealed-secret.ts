/**
 * Signing secrets are needed in the clear at each delivery, so they are stored sealed under a pepper, which the database
 * does not have.
 */
import { randomBytes } from 'node:crypto'
import type { Peppers } from '@parlance/clients/api-key'
import { createSealing, openDirectlySealed } from '@parlance/clients/sealing'

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
