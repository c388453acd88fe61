import type { TtlStore } from './ttl-store.js'

interface Entry {
  readonly value: string
  readonly expiresAtMs: number
}

/** What nobody reads any more is forgotten at the latest after this time. */
const sweepIntervalMs = 10_000

/** For one process; everything is gone when it ends. */
export const createMemoryTtlStore = (): TtlStore => {
  const entries = new Map<string, Entry>()
  // Steps of the wall clock neither shorten nor lengthen a life.
  const now = () => performance.now()

  const read = (key: string): string | null => {
    const entry = entries.get(key)
    if (entry === undefined) return null
    if (entry.expiresAtMs > now()) return entry.value
    entries.delete(key)
    return null
  }
  const write = (key: string, value: string, ttlMs: number): void => {
    entries.set(key, { value, expiresAtMs: now() + ttlMs })
  }

  const sweep = setInterval(() => {
    for (const key of entries.keys()) read(key)
  }, sweepIntervalMs)
  sweep.unref()

  return {
    get: async (key) => read(key),
    set: async (key, value, ttlMs) => write(key, value, ttlMs),
    async setIfAbsent(key, value, ttlMs) {
      if (read(key) !== null) return false
      write(key, value, ttlMs)
      return true
    },
    async take(key) {
      const value = read(key)
      entries.delete(key)
      return value
    },
    async delete(key) {
      entries.delete(key)
    },
    connected: () => true,
    async close() {
      clearInterval(sweep)
      entries.clear()
    },
  }
}
