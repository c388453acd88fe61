/** Workers repeat their announcements every five seconds, so that by then each that is connected has announced. */
const allAnnouncedMs = 6_000
/** Workers answer a catalog that asks for announcements at once: after so long without a new one there are no more. */
const quietMs = 500

/**
 * Whether every worker that is connected has announced its voices since this catalog was connected last. Until then a
 * voice that is not known may still be announced.
 */
export interface Announcements {
  /** Such a source has announced its voices. */
  received(source: string): void
  /** The connection was lost and is there again. These sources were known before it was lost. */
  reconnected(known: Iterable<string>): void
  complete(): boolean
}

export const createAnnouncements = (nowMs: () => number): Announcements => {
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
    received(source) {
      if (complete() || received.has(source)) return
      newestAtMs = nowMs()
      received.add(source)
      awaited.delete(source)
    },
    reconnected(known) {
      connectedAtMs = nowMs()
      newestAtMs = undefined
      received.clear()
      awaited.clear()
      for (const source of known) awaited.add(source)
    },
    complete,
  }
}
