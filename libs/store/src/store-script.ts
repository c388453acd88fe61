/** What a script can answer. A Lua `nil` or `false` is null; amounts beyond 2^53 must be answered as text. */
export type ScriptReply = string | number | null | readonly ScriptReply[]

/** What lies in a store that is memory. A script may keep any object under a key; `ttlMs` left out means for ever. */
export interface MemoryEntries {
  get(key: string): unknown
  set(key: string, value: unknown, ttlMs?: number): void
  delete(key: string): unknown
  /** The store's clock, in ms since some point: what `redis.call('TIME')` is in Lua. */
  nowMs(): number
}

/**
 * One step that nothing comes in between, told twice: for Redis, and for a store that is memory. Both must answer alike,
 * which a test of each script sees to. `lua` is run with `KEYS` and `ARGV`; all keys of a call must share a hash tag.
 */
export interface StoreScript<Reply extends ScriptReply> {
  readonly name: string
  readonly lua: string
  inMemory(entries: MemoryEntries, keys: readonly string[], args: readonly string[]): Reply
}
