/**
 * The port of the caches of recorded speeches (`recorded-speech.ts`) by keys that identify a request (`speechKey`). Adapters:
 * `memory-speech-cache.ts`, `store-speech-cache.ts`.
 *
 * - A cache does not exceed its limit in bytes, including keys and the overhead of entries.
 * - The least recently used speech is deleted first; one speech takes at most an eighth of the limit.
 * - A speech is written as a whole. Readers must not change it.
 */
export interface SpeechCache {
  get(key: string): Promise<Uint8Array | undefined> | Uint8Array | undefined
  put(key: string, speech: Uint8Array): Promise<void> | void
}

/** Returns the limit for one speech in a cache of `cacheBytes`. */
export const shareOf = (cacheBytes: number): number => Math.floor(cacheBytes / 8)
