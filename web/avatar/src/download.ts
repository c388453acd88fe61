import { AvatarError } from './avatar-load.js'
import type { AvatarRecord } from './avatar-record.js'

/**
 * Downloads the bytes at an address, or at a path on the origin. `onProgress` is called with the bytes so far. The download
 * fails as soon as the server sends more than the record announces.
 */
export const download = async (
  { url, size_bytes: announcedBytes }: AvatarRecord['asset'],
  origin: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (loadedBytes: number) => void },
): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    const bytes = new Uint8Array(announcedBytes)
    let loaded = 0
    const response = await fetch(new URL(url, origin), { signal, credentials: 'omit' })
    if (!response.ok || response.body === null) throw new Error(`the server responded with ${response.status}`)
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (loaded + part.value.length > announcedBytes) {
        await reader.cancel()
        throw new Error('it is larger than announced')
      }
      bytes.set(part.value, loaded)
      loaded += part.value.length
      onProgress(loaded)
    }
    return bytes.subarray(0, loaded)
  } catch (cause) {
    throw new AvatarError('download_failed', `The avatar could not be loaded: ${(cause as Error).message}`, { cause })
  }
}

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
