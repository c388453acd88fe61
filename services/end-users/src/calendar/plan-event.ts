import type { EventPlan } from '@parlance/contracts'
import type { EventFields, StoredEvent } from './calendar-repository.js'
import { listOccurrences, type TimedOccurrence, toOccurrence } from './event-occurrences.js'
import { fromWall } from './wall-clock.js'

const maxOccurrences = 100
const maxConflicts = 20
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const horizonMs = 366 * dayMs
const maxEventMs = 14 * dayMs

/** An event that ends when another begins does not overlap it. */
export const overlaps = (
  a: Pick<TimedOccurrence, 'startMs' | 'endMs'>,
  b: Pick<TimedOccurrence, 'startMs' | 'endMs'>,
): boolean => a.startMs < b.endMs && b.startMs < a.endMs

/** The first of `existing` that overlap any of `planned`. Both are ordered by their beginnings. */
export const conflictsOf = (
  planned: readonly TimedOccurrence[],
  existing: readonly TimedOccurrence[],
): TimedOccurrence[] => {
  const conflicts: TimedOccurrence[] = []
  for (const occurrence of existing) {
    if (!planned.some((other) => overlaps(other, occurrence))) continue
    if (conflicts.push(occurrence) === maxConflicts) break
  }
  return conflicts
}

interface PlanOptions {
  /** The planned event, or one occurrence as an event that happens once. */
  readonly fields: EventFields
  readonly recurring: boolean
  /** The id of the moved event, whose own occurrences are not conflicts. */
  readonly eventId: string | undefined
  /** All events of the end user with occurrences from `fromMs` up to `toMs`, in ms since 1970. */
  readonly listEvents: (fromMs: number, toMs: number) => Promise<StoredEvent[]>
}

/** The planned event with the events at the same time. */
export const planEvent = async ({ fields, recurring, eventId, listEvents }: PlanOptions): Promise<EventPlan> => {
  const { title, startsAt, durationMinutes, timeZone } = fields
  const startMs = fromWall(startsAt, timeZone)
  const withinYear = await listOccurrences([{ ...fields, id: '' }], startMs, startMs + horizonMs)
  const planned = withinYear.slice(0, maxOccurrences)
  const fromMs = startMs - maxEventMs
  const toMs = Math.max(...planned.map(({ endMs }) => endMs), startMs + 1)
  const others = (await listEvents(fromMs, toMs)).filter(({ id }) => id !== eventId)
  return {
    title,
    time_zone: timeZone,
    recurring,
    starts_at: new Date(startMs).toISOString(),
    ends_at: new Date(startMs + durationMinutes * minuteMs).toISOString(),
    conflicts: conflictsOf(planned, await listOccurrences(others, fromMs, toMs)).map(toOccurrence),
  }
}
