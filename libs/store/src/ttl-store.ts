/**
 * Values that expire. Adapters: `memory-ttl-store.ts`, `redis-ttl-store.ts`. Every method rejects with
 * `ServiceError('unavailable')` while the store cannot be reached, after at most a second.
 */
export interface TtlStore {
  get(key: string): Promise<string | null>
  /** Replaces an earlier value. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** Writes only where there is no value; true when it wrote. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>
  delete(key: string): Promise<void>
  run<Reply extends ScriptReply>(
    script: StoreScript<Reply>,
    keys: readonly string[],
    args?: readonly string[],
  ): Promise<Reply>
  /**
   * Names the server process, and its history of writes, that this store's commands go to. After a change, writes that were
   * acknowledged under the earlier epoch may be missing: the server restarted, or a replica took over.
   */
  epoch(): string
  connected(): boolean
  close(): Promise<void>
}

/** The reply of a script. A Lua `nil` or `false` is null; amounts beyond 2^53 must be text. */
export type ScriptReply = string | number | null | readonly ScriptReply[]

/** The entries of a store in memory. A script may keep any object under a key; without `ttlMs` it does not expire. */
export interface MemoryEntries {
  get(key: string): unknown
  set(key: string, value: unknown, ttlMs?: number): void
  delete(key: string): unknown
  /** The store's clock, in ms; `redis.call('TIME')` in Lua. */
  nowMs(): number
}

/**
 * An atomic operation, written twice: for Redis and for a store in memory. Both must return the same result, which a test of
 * each script verifies. `lua` is run with `KEYS` and `ARGV`; all keys of a call must share a hash tag.
 */
export interface StoreScript<Reply extends ScriptReply> {
  readonly name: string
  readonly lua: string
  inMemory(entries: MemoryEntries, keys: readonly string[], args: readonly string[]): Reply
}
