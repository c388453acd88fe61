import type { LiveSession } from './live-session.js'

/** How long before its deadline an end is announced to the client; the agent may then finish its reply. */
export const announcedMs = 15_000

/** The end of one conversation, which may be far away. */
export interface AnnouncedEnd {
  readonly end: LiveSession['end']
  /** The conversation is over. */
  cancel(): void
}

/**
 * Calls `end` at most `announcedMs` before the deadline: until then the conversation continues unchanged, and may end by
 * itself. The earliest of several ends applies.
 */
export const createAnnouncedEnd = (end: LiveSession['end']): AnnouncedEnd => {
  let dueMs = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  return {
    end(reason, deadlineMs) {
      const waitMs = deadlineMs - announcedMs
      if (waitMs <= 0) return end(reason, deadlineMs)
      const atMs = performance.now() + waitMs
      if (atMs >= dueMs) return
      clearTimeout(timer)
      dueMs = atMs
      timer = setTimeout(() => end(reason, announcedMs), waitMs)
    },
    cancel: () => clearTimeout(timer),
  }
}
