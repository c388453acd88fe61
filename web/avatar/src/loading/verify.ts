import { AvatarError } from '../avatar-load.js'

/**
 * Rejects unless the SHA-256 of the bytes is `sha256`, in hex. Browsers compute hashes only in secure contexts; elsewhere an
 * avatar is refused, not shown unverified.
 */
export const verify = async (bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<void> => {
  if (globalThis.crypto?.subtle === undefined) {
    throw new AvatarError('insecure_page', 'An avatar can be verified only on a page from https or localhost.')
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (hex !== sha256.toLowerCase()) {
    throw new AvatarError('verification_failed', 'The avatar is not the file that the platform announced.')
  }
}
