import type { EventPlan } from '@parlance/contracts'
import { type TimedOccurrence, toOccurrence } from './event-occurrences.js'
import { gatherOccurrences } from './gather-occurrences.js'
import type { EventFields, StoredEvent } from './stored-event.js'
import { fromWall } from './wall-clock.js'

const mostOccurrences = 100
const mostConflicts = 20
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const horizonMs = 366 * dayMs
const longestEventMs = 14 * dayMs

/** What ends when the other begins is no conflict. */
export const overlaps = (
  a: Pick<TimedOccurrence, 'startMs' | 'endMs'>,
  b: Pick<TimedOccurrence, 'startMs' | 'endMs'>,
): boolean => a.startMs < b.endMs && b.startMs < a.endMs

/** Both in the order of their beginnings. The first of `standing` that overlap any of `planned`. */
export const conflictsOf = (
  planned: readonly TimedOccurrence[],
  standing: readonly TimedOccurrence[],
): TimedOccurrence[] => {
  const conflicts: TimedOccurrence[] = []
  for (const occurrence of standing) {
    if (!planned.some((other) => overlaps(other, occurrence))) continue
    if (conflicts.push(occurrence) === mostConflicts) break
  }
  return conflicts
}

export interface PlanOptions {
  /** What is planned: an event as it would be, or one occurrence of it as an event that happens once. */
  readonly fields: EventFields
  readonly recurring: boolean
  /** Of the event that is moved, whose occurrences are no conflicts. */
  readonly eventId: string | undefined
  /** All the user's events that take place from one time up to another, in ms since 1970. */
  readonly listEvents: (fromMs: number, toMs: number) => Promise<StoredEvent[]>
}

/** What there would be, and what takes place at the same time. */
export const planEvent = async ({ fields, recurring, eventId, listEvents }: PlanOptions): Promise<EventPlan> => {
  const { title, startsAt, durationMinutes, timeZone } = fields
  const startMs = fromWall(startsAt, timeZone)
  const withinYear = await gatherOccurrences([{ ...fields, id: '' }], startMs, startMs + horizonMs)
  const planned = withinYear.slice(0, mostOccurrences)
  const fromMs = startMs - longestEventMs
  const toMs = Math.max(...planned.map(({ endMs }) => endMs), startMs + 1)
  const others = (await listEvents(fromMs, toMs)).filter(({ id }) => id !== eventId)
  return {
    title,
    time_zone: timeZone,
    recurring,
    starts_at: new Date(startMs).toISOString(),
    ends_at: new Date(startMs + durationMinutes * minuteMs).toISOString(),
    conflicts: conflictsOf(planned, await gatherOccurrences(others, fromMs, toMs)).map(toOccurrence),
  }
}
