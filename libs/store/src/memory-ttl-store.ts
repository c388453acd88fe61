import { randomUUID } from 'node:crypto'
import type { MemoryEntries, TtlStore } from './ttl-store.js'

interface Entry {
  readonly value: unknown
  readonly expiresAtMs: number
}

/** Expired values that are not read are removed at this interval. */
const sweepIntervalMs = 10_000

/** A store in the memory of this process. */
export const createMemoryTtlStore = (): TtlStore => {
  const entries = new Map<string, Entry>()
  const epoch = randomUUID()
  // Unlike the wall clock, this clock is monotonic.
  const nowMs = () => performance.now()

  const read = (key: string): unknown => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAtMs > nowMs()) return entry.value
    entries.delete(key)
    return undefined
  }
  const write = (key: string, value: unknown, ttlMs = Number.POSITIVE_INFINITY): void => {
    entries.set(key, { value, expiresAtMs: nowMs() + ttlMs })
  }
  const forScripts: MemoryEntries = { get: read, set: write, delete: (key) => entries.delete(key), nowMs }

  const sweep = setInterval(() => {
    for (const key of entries.keys()) read(key)
  }, sweepIntervalMs)
  sweep.unref()

  return {
    get: async (key) => (read(key) as string | undefined) ?? null,
    set: async (key, value, ttlMs) => write(key, value, ttlMs),
    async setIfAbsent(key, value, ttlMs) {
      if (read(key) !== undefined) return false
      write(key, value, ttlMs)
      return true
    },
    async delete(key) {
      entries.delete(key)
    },
    run: async (script, keys, args = []) => script.inMemory(forScripts, keys, args),
    epoch: () => epoch,
    connected: () => true,
    async close() {
      clearInterval(sweep)
      entries.clear()
    },
  }
}
