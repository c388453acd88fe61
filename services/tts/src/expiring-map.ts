export interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  /** Its lifetime begins anew. Where there are too many, the one that was set first is dropped. */
  set(key: string, value: Value): void
  /** Whether nothing was set that may still be there. */
  isEmpty(): boolean
}

export interface ExpiringMapOptions {
  readonly maxEntries: number
  readonly lifetimeMs: number
  /** In ms. */
  readonly now: () => number
}

/** Keeps what was set last, for a while. */
export const createExpiringMap = <Value>({ maxEntries, lifetimeMs, now }: ExpiringMapOptions): ExpiringMap<Value> => {
  /** In the order in which they expire. */
  const entries = new Map<string, { value: Value; expiresAtMs: number }>()

  const dropExpired = () => {
    for (const [key, { expiresAtMs }] of entries) {
      if (expiresAtMs > now()) return
      entries.delete(key)
    }
  }

  return {
    get(key) {
      dropExpired()
      return entries.get(key)?.value
    },
    set(key, value) {
      dropExpired()
      entries.delete(key)
      entries.set(key, { value, expiresAtMs: now() + lifetimeMs })
      if (entries.size <= maxEntries) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
    isEmpty: () => entries.size === 0,
  }
}
