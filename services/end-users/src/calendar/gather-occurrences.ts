import { setImmediate as othersFirst } from 'node:timers/promises'
import { byStart, createEventOccurrences, type IdentifiedEvent, type TimedOccurrence } from './event-occurrences.js'

/** So much of a daily event takes about two ms. */
const partMs = 60 * 86_400_000

/**
 * The occurrences of all these events that begin from one time up to another, in their order. In ms since 1970. Rules take time:
 * what else the process has to do comes in between.
 */
export const gatherOccurrences = async (
  events: readonly IdentifiedEvent[],
  fromMs: number,
  toMs: number,
): Promise<TimedOccurrence[]> => {
  const gathered: TimedOccurrence[] = []
  for (const event of events) {
    const occurrences = createEventOccurrences(event)
    if (event.recurrence === null) {
      gathered.push(...occurrences(fromMs, toMs))
      continue
    }
    for (let atMs = fromMs; atMs < toMs; atMs += partMs) {
      gathered.push(...occurrences(atMs, Math.min(atMs + partMs, toMs)))
      await othersFirst()
    }
  }
  return gathered.sort(byStart)
}
