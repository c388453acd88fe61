/**
 * Texts that were sealed before each had a key of its own (JWE with `dir` and A256GCM). They can still be opened; new texts are
 * not sealed like this.
 */
import { hkdfSync } from 'node:crypto'
import { compactDecrypt } from 'jose'
import type { Peppers } from '../api-key/index.js'

const keyBytes = 32
const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }

/** Resolves to undefined where none of `peppers` opens the text for this owner and purpose. */
export const openDirectlySealed = async (
  peppers: Peppers,
  purpose: string,
  sealed: string,
  owner: string,
): Promise<string | undefined> => {
  for (const { secret } of peppers) {
    const key = new Uint8Array(hkdfSync('sha256', secret, owner, purpose, keyBytes))
    const opened = await compactDecrypt(sealed, key, algorithms).catch(() => undefined)
    if (opened !== undefined) return new TextDecoder().decode(opened.plaintext)
  }
  return undefined
}
