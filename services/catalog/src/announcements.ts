/** Workers announce every five seconds, so by then each connected worker has announced. */
const allAnnouncedMs = 6_000
/** Workers reply to a request for announcements at once. After this time without a new one, all have replied. */
const quietMs = 500

/**
 * Tracks whether every connected worker has announced its voices since this catalog connected last. Until then, an unknown
 * voice may still be announced.
 */
export const createAnnouncements = (nowMs: () => number) => {
  let connectedAtMs = nowMs()
  let newestAtMs: number | undefined
  const received = new Set<string>()
  const awaited = new Set<string>()

  const complete = () => {
    const now = nowMs()
    if (now - connectedAtMs >= allAnnouncedMs) return true
    return newestAtMs !== undefined && awaited.size === 0 && now - newestAtMs >= quietMs
  }

  return {
    /** Records that a source has announced its voices. */
    received(source: string): void {
      if (complete() || received.has(source)) return
      newestAtMs = nowMs()
      received.add(source)
      awaited.delete(source)
    },
    /** Starts again after a lost connection. `known` are the sources from before it was lost. */
    reconnected(known: Iterable<string>): void {
      connectedAtMs = nowMs()
      newestAtMs = undefined
      received.clear()
      awaited.clear()
      for (const source of known) awaited.add(source)
    },
    complete,
  }
}
