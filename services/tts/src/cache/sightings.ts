/** Remembers the keys seen most recently, at most `maxKeys` of them. */
export const createSightings = (maxKeys: number) => {
  const seen = new Set<string>()
  return {
    /** Returns whether the key is remembered, and remembers it. */
    again(key: string): boolean {
      const known = seen.delete(key)
      seen.add(key)
      if (seen.size > maxKeys) {
        const [oldest] = seen
        if (oldest !== undefined) seen.delete(oldest)
      }
      return known
    },
  }
}
