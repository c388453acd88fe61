/**
 * Seals secrets that are stored and needed in the clear again, by envelope encryption: each has a random key of its own, which
 * a master key encrypts. The sealed text is a JWE with A256GCMKW and A256GCM, whose `kid` is the version of the master key.
 */
import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import type { Pepper, Peppers } from '../api-key/index.js'

const keyBytes = 32
const algorithms = { keyManagementAlgorithms: ['A256GCMKW'], contentEncryptionAlgorithms: ['A256GCM'] }

/**
 * Master keys are derived from `peppers`: the current one seals, and older ones still open. A text that was sealed for one
 * `purpose` cannot be opened for another.
 */
export const createSealing = (peppers: Peppers, purpose: string) => {
  const masterKeyOf = ({ secret }: Pepper): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', secret, '', `parlance sealing: ${purpose}`, keyBytes))
  const [current] = peppers
  const versions = new Map(peppers.map((pepper) => [String(pepper.version), masterKeyOf(pepper)]))

  return {
    /** `owner` is authenticated with the secret, which can be opened only for the same owner. */
    seal: (secret: string, owner: string): Promise<string> =>
      new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM', kid: String(current.version), sub: owner })
        .encrypt(masterKeyOf(current)),
    /** Resolves to undefined for another owner, for a modified text, and when the master key is missing or different. */
    async open(sealed: string, owner: string): Promise<string | undefined> {
      const keyOf = ({ kid = '' }: { readonly kid?: string }): Uint8Array => {
        const key = versions.get(kid)
        if (key === undefined) throw new Error('there is no master key of this version')
        return key
      }
      const opened = await compactDecrypt(sealed, keyOf, algorithms).catch(() => undefined)
      return opened?.protectedHeader.sub === owner ? new TextDecoder().decode(opened.plaintext) : undefined
    },
    /** Whether the current master key sealed the text. */
    isCurrent(sealed: string): boolean {
      try {
        return decodeProtectedHeader(sealed).kid === String(current.version)
      } catch {
        return false
      }
    },
  }
}

const directAlgorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }

/**
 * Opens a text that was sealed before each had a key of its own (JWE with `dir` and A256GCM). Resolves to undefined where none of
 * `peppers` opens it for this owner and purpose.
 */
export const openDirectlySealed = async (
  peppers: Peppers,
  purpose: string,
  sealed: string,
  owner: string,
): Promise<string | undefined> => {
  for (const { secret } of peppers) {
    const key = new Uint8Array(hkdfSync('sha256', secret, owner, purpose, keyBytes))
    const opened = await compactDecrypt(sealed, key, directAlgorithms).catch(() => undefined)
    if (opened !== undefined) return new TextDecoder().decode(opened.plaintext)
  }
  return undefined
}
