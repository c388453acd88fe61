/** A clock that stands still until it is moved, and its timers. */
export interface FakeTime {
  now(): number
  after(delayMs: number, run: () => void): () => void
  /** Goes on by that much, and runs what is due on the way, each `lateMs` after it was. */
  advance(ms: number, lateMs?: number): void
  /** Goes on without running anything, as for a process that stands still. */
  stall(ms: number): void
  readonly waiting: number
}

export const createFakeTime = (): FakeTime => {
  let nowMs = 1000
  let timers: { dueMs: number; run: () => void }[] = []
  return {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { dueMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    advance(ms, lateMs = 0) {
      const untilMs = nowMs + ms
      for (;;) {
        timers.sort((a, b) => a.dueMs - b.dueMs)
        const [next] = timers
        if (next === undefined || next.dueMs + lateMs > untilMs) break
        timers.shift()
        nowMs = Math.max(nowMs, next.dueMs + lateMs)
        next.run()
      }
      nowMs = untilMs
    },
    stall(ms) {
      nowMs += ms
    },
    get waiting() {
      return timers.length
    },
  }
}
