/**
 * The one ticker of the process: calls each of its listeners every 20 ms.
 *
 * - Ticks are due at absolute times, so that a timer that is late moves none of those that follow.
 * - Ticks that were missed are made up for at once, up to `mostMadeUp` of them; after a longer stall that time is lost, for
 *   a burst helps nobody.
 * - Listeners are spread over the 20 ms, so that fifty conversations do not hold the event loop for all of their work at once.
 */
import { frameMs } from '../transport.js'

export interface FrameClock {
  /** Calls `onFrame` every 20 ms until what this returns is called. */
  onTick(onFrame: () => void): () => void
}

export interface FrameClockOptions {
  /** A clock that only goes forward, in ms. */
  readonly now?: () => number
  /** Calls once, no sooner than in that many ms; what it returns keeps it from it. */
  readonly after?: (delayMs: number, run: () => void) => () => void
  /** A listener that throws hears no more ticks: it must not silence the others. */
  readonly onError?: (error: unknown) => void
}

const slots = 4
const slotMs = frameMs / slots
const mostMadeUp = 5

const timeout = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}

export const createFrameClock = (options: FrameClockOptions = {}): FrameClock => {
  const { now = () => performance.now(), after = timeout, onError = () => {} } = options
  const listeners = Array.from({ length: slots }, () => new Set<() => void>())
  const originMs = now()
  /** The slot that is next, counted from the origin; its listeners are those of its remainder. */
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
    if (due - next > mostMadeUp * slots) next = due - slots + 1
    while (next <= due) fire(next++)
    schedule()
  }

  return {
    onTick(onFrame) {
      // A function of its own, so that one listener can stand here twice.
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
