import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

const secretPrefix = 'whsk_'
const seedBytes = 32
/** The DER prefixes of the seed and of the public key. */
const pkcs8 = '302e020100300506032b657004220420'
const spkiBytes = 12

const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiBytes)

/**
 * Signs by Standard Webhooks with an asymmetric key: a verifier cannot create signatures. `secret` is `whsk_` and, in
 * base64, the 32 bytes of an Ed25519 seed or the 64 bytes of seed and public key. Throws an `Error` that does not quote it.
 */
export const createWebhookSigner = (secret: string) => {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : ''
  const bytes = Buffer.from(encoded, 'base64')
  const isKey = bytes.toString('base64') === encoded && [seedBytes, 2 * seedBytes].includes(bytes.length)
  if (!isKey) throw new Error('must be "whsk_" followed by 32 random bytes in base64')
  const seed = bytes.subarray(0, seedBytes)
  const key = createPrivateKey({ key: Buffer.concat([Buffer.from(pkcs8, 'hex'), seed]), format: 'der', type: 'pkcs8' })
  const publicKey = publicBytes(key)
  if (bytes.length > seedBytes && !bytes.subarray(seedBytes).equals(publicKey)) {
    throw new Error('must contain both halves of one key')
  }
  return {
    /** `whpk_` and 32 bytes in base64: the public key for verifiers. */
    publicKey: `whpk_${publicKey.toString('base64')}`,
    /** The headers that go with a body. `id` is unique, so that receivers can detect repetitions. */
    sign(id: string, now: Date, body: string): Readonly<Record<string, string>> {
      const timestamp = String(Math.floor(now.getTime() / 1000))
      const signature = sign(null, Buffer.from(`${id}.${timestamp}.${body}`), key).toString('base64')
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` }
    },
  }
}

export type WebhookSigner = ReturnType<typeof createWebhookSigner>
