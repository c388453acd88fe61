/**
 * Speeches that were made before, as bytes (`recorded-speech.ts`), each under a key that says all of what was asked
 * (`speech-key.ts`). Adapters: `memory-speech-cache.ts`, `store-speech-cache.ts`.
 *
 * - They hold no more bytes than they were allowed, keys and what an entry costs besides included.
 * - What was not asked for longest goes first; one speech is at most an eighth of all.
 * - What is read was written whole, and is not to be changed.
 */
export interface SpeechCache {
  get(key: string): Promise<Uint8Array | undefined> | Uint8Array | undefined
  put(key: string, speech: Uint8Array): Promise<void> | void
}

/** The most that one speech may take of `mostBytes`. */
export const shareOf = (mostBytes: number): number => Math.floor(mostBytes / 8)
