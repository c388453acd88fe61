import { AvatarError } from '../avatar-load.js'

/**
 * The bytes at that address; `onProgress` is told how many there are so far. A server that sends more than was announced
 * is not listened to any longer.
 */
export const download = async (
  url: string,
  mostBytes: number,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (loadedBytes: number) => void },
): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(mostBytes)
  let loaded = 0
  try {
    const response = await fetch(url, { signal, credentials: 'omit' })
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`)
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (loaded + part.value.length > mostBytes) {
        await reader.cancel()
        throw new Error('it is larger than announced')
      }
      bytes.set(part.value, loaded)
      loaded += part.value.length
      onProgress(loaded)
    }
  } catch (cause) {
    throw new AvatarError('download_failed', `The avatar could not be loaded: ${(cause as Error).message}`, { cause })
  }
  return bytes.subarray(0, loaded)
}
