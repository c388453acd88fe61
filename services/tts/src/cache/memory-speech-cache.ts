import { type SpeechCache, shareOf } from './speech-cache.js'

/** The approximate size of an entry of the map without its key and its speech. */
const entryBytes = 200

export interface MemorySpeechCache extends SpeechCache {
  get(key: string): Uint8Array | undefined
  put(key: string, speech: Uint8Array): void
  /** Returns the present size. */
  bytes(): number
}

/** Creates a cache in the memory of this process. `onBytes` is called after each change of its size. */
export const createMemorySpeechCache = (
  maxBytes: number,
  onBytes: (bytes: number) => void = () => undefined,
): MemorySpeechCache => {
  /** The least recently used is the first. */
  const speeches = new Map<string, Uint8Array>()
  let bytes = 0

  const costOf = (key: string, speech: Uint8Array) => key.length + speech.byteLength + entryBytes
  const drop = (key: string) => {
    const speech = speeches.get(key)
    if (speech === undefined) return
    speeches.delete(key)
    bytes -= costOf(key, speech)
  }

  return {
    get(key) {
      const speech = speeches.get(key)
      if (speech === undefined) return undefined
      speeches.delete(key)
      speeches.set(key, speech)
      return speech
    },
    put(key, speech) {
      if (costOf(key, speech) > shareOf(maxBytes)) return
      drop(key)
      // A copy, since a view would retain its larger buffer, which is not counted.
      const own = speech.byteLength === speech.buffer.byteLength ? speech : new Uint8Array(speech)
      speeches.set(key, own)
      bytes += costOf(key, own)
      for (const [oldest] of speeches) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
      onBytes(bytes)
    },
    bytes: () => bytes,
  }
}
