/**
 * Signing secrets are needed in the clear at each delivery, so they are stored encrypted (JWE, AES-256-GCM). The key is derived
 * from a pepper, which the database does not have, and from the endpoint: a sealed secret of one endpoint cannot be opened as
 * that of another.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Pepper, Peppers } from '@parlance/clients/api-key'
import { CompactEncrypt, compactDecrypt } from 'jose'

export interface EndpointName {
  readonly workspaceId: string
  readonly endpointId: string
}

export interface SealedSecret {
  readonly sealed: string
  readonly pepperVersion: number
}

const [keyBytes, secretBytes] = [32, 32]

/** A new secret, as Standard Webhooks writes it. */
export const createSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`

const keyOf = ({ secret }: Pepper, { workspaceId, endpointId }: EndpointName): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, `${workspaceId} ${endpointId}`, 'parlance webhook secret', keyBytes))

/** Seals under the current pepper. */
export const sealSecret = async ([current]: Peppers, name: EndpointName, secret: string): Promise<SealedSecret> => ({
  sealed: await new CompactEncrypt(new TextEncoder().encode(secret))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(current, name)),
  pepperVersion: current.version,
})

/** Undefined where its pepper has been removed, or has another secret now. */
export const openSecret = async (
  peppers: Peppers,
  name: EndpointName,
  { sealed, pepperVersion }: SealedSecret,
): Promise<string | undefined> => {
  const pepper = peppers.find(({ version }) => version === pepperVersion)
  if (pepper === undefined) return undefined
  const opened = await compactDecrypt(sealed, keyOf(pepper, name)).catch(() => undefined)
  return opened && new TextDecoder().decode(opened.plaintext)
}
