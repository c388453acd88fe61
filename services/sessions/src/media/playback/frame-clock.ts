/**
 * The clock of all media of the process: calls each listener every 20 ms.
 *
 * - Ticks are due at absolute times, so a late timer does not delay later ticks.
 * - Missed ticks are made up for at once, up to `maxMadeUpTicks`. After a longer stall the missed time is lost, since a burst
 *   would not help a listener.
 * - Listeners are spread over the 20 ms, so that many conversations do not block the event loop with all of their work at once.
 */
import { frameMs } from '../transport.js'

interface FrameClockOptions {
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: () => number
  /** Calls `run` once, after at least `delayMs`, and returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: (delayMs: number, run: () => void) => () => void
  /** Receives the error of a listener. The listener is removed, and the others continue. */
  readonly onError?: (error: unknown) => void
}

const slots = 4
const slotMs = frameMs / slots
const maxMadeUpTicks = 5

const timeout = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}

export type FrameClock = ReturnType<typeof createFrameClock>

export const createFrameClock = (options: FrameClockOptions = {}) => {
  const { now = () => performance.now(), after = timeout, onError = () => {} } = options
  const listeners = Array.from({ length: slots }, () => new Set<() => void>())
  const originMs = now()
  /** The number of the next slot since the origin. Its listeners are those of its remainder. */
  let next = 0
  let cancelTimer: (() => void) | undefined

  const listenersOf = (slot: number): Set<() => void> => listeners[slot % slots] as Set<() => void>

  const isIdle = (): boolean => listeners.every((set) => set.size === 0)

  const fire = (slot: number): void => {
    for (const onFrame of listenersOf(slot)) {
      try {
        onFrame()
      } catch (error) {
        listenersOf(slot).delete(onFrame)
        onError(error)
      }
    }
  }

  const schedule = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    if (isIdle()) return
    let slot = next
    while (listenersOf(slot).size === 0) slot++
    cancelTimer = after(Math.max(0, originMs + slot * slotMs - now()), wake)
  }

  const wake = (): void => {
    cancelTimer = undefined
    const due = Math.floor((now() - originMs) / slotMs)
    if (due - next > maxMadeUpTicks * slots) next = due - slots + 1
    while (next <= due) fire(next++)
    schedule()
  }

  return {
    /** Calls `onFrame` every 20 ms until what this returns is called. */
    onTick(onFrame: () => void): () => void {
      // A new function, so that the same listener can be added twice.
      const listener = () => onFrame()
      const emptiest = listeners.reduce((least, set) => (set.size < least.size ? set : least))
      if (isIdle()) next = Math.floor((now() - originMs) / slotMs) + 1
      emptiest.add(listener)
      schedule()
      return () => {
        emptiest.delete(listener)
        if (isIdle()) schedule()
      }
    },
  }
}
