/** Remembers, of keys, that they came by: the last so many of them. */
export const createSightings = (most: number) => {
  const seen = new Set<string>()
  return {
    /** Whether it came by before, not too long ago. */
    again(key: string): boolean {
      const known = seen.delete(key)
      seen.add(key)
      if (seen.size > most) {
        const [oldest] = seen
        if (oldest !== undefined) seen.delete(oldest)
      }
      return known
    },
  }
}
