import { setImmediate as nextTick } from 'node:timers/promises'
import { byStart, createEventOccurrences, type IdentifiedEvent, type TimedOccurrence } from './event-occurrences.js'

/** For a daily event this part takes about 2 ms to compute. */
const partMs = 60 * 86_400_000

/**
 * The occurrences of all events that begin from `fromMs` up to, but not including, `toMs` in their order. In ms since 1970. Yields
 * to the event loop after each part of a recurring event, since rules take long to compute.
 */
export const listOccurrences = async (
  events: readonly IdentifiedEvent[],
  fromMs: number,
  toMs: number,
): Promise<TimedOccurrence[]> => {
  const found: TimedOccurrence[] = []
  for (const event of events) {
    const occurrences = createEventOccurrences(event)
    if (event.recurrence === null) {
      found.push(...occurrences(fromMs, toMs))
      continue
    }
    for (let atMs = fromMs; atMs < toMs; atMs += partMs) {
      found.push(...occurrences(atMs, Math.min(atMs + partMs, toMs)))
      await nextTick()
    }
  }
  return found.sort(byStart)
}
