import { AvatarError } from '../avatar-load.js'

/**
 * Rejects bytes whose SHA-256, in hex, is another. Browsers calculate it on secure pages alone, which is also where alone
 * they let anybody use a microphone; elsewhere an avatar is refused rather than shown unverified.
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
