import type { ScriptReply, StoreScript } from './store-script.js'

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
  /** Reads and removes atomically: exactly one of several callers gets the value. */
  take(key: string): Promise<string | null>
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
