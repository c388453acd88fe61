import { LRUCache } from 'lru-cache'
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
  const speeches = new LRUCache<string, Uint8Array>({
    // The library takes 0 for no limit. No entry is as small as 1 byte.
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, shareOf(maxBytes)),
    sizeCalculation: (speech, key) => key.length + speech.byteLength + entryBytes,
  })

  return {
    get: (key) => speeches.get(key),
    put(key, speech) {
      // A copy, since a view would retain its larger buffer, which is not counted.
      speeches.set(key, speech.byteLength === speech.buffer.byteLength ? speech : new Uint8Array(speech))
      onBytes(speeches.calculatedSize)
    },
    bytes: () => speeches.calculatedSize,
  }
}
