import { setImmediate as nextTick } from 'node:timers/promises'
import type { Occurrence } from '@parlance/contracts'
import type { EventFields, EventTime } from './calendar-repository.js'
import { createWallTimes } from './recurrence.js'
import { fromWall, toWall } from './wall-clock.js'

/** One time at which an event takes place, in ms since 1970. */
export interface TimedOccurrence {
  readonly eventId: string
  readonly title: string
  readonly startMs: number
  readonly endMs: number
  readonly timeZone: string
  readonly recurring: boolean
  /** The local time by the event's rule. */
  readonly ruledAt: number
  /** Whether it takes place at another time than the rule's. */
  readonly moved: boolean
}

/** Lists the occurrences that begin from `fromMs` up to, but not including, `toMs` in their order. In ms since 1970. */
type EventOccurrences = (fromMs: number, toMs: number) => TimedOccurrence[]

/** No time zone differs more from UTC, and no clock was ever moved by more at once. */
const maxOffsetMs = 26 * 3_600_000

type IdentifiedEvent = EventFields & { readonly id: string }

export const byStart = (a: TimedOccurrence, b: TimedOccurrence): number =>
  a.startMs - b.startMs || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : a.ruledAt - b.ruledAt)

export const createEventOccurrences = (event: IdentifiedEvent): EventOccurrences => {
  const { id: eventId, title, startsAt, recurrence, timeZone } = event
  const recurring = recurrence !== null
  const occurrence = (time: EventTime, ruledAt: number, moved: boolean): TimedOccurrence => {
    const startMs = fromWall(time.startsAt, time.timeZone)
    const endMs = startMs + time.durationMinutes * 60_000
    return { eventId, title, startMs, endMs, timeZone: time.timeZone, recurring, ruledAt, moved }
  }
  const ruled = recurring
    ? createWallTimes({ startsAt, timeZone, recurrence })
    : (from: number, to: number) => (from <= startsAt && startsAt < to ? [startsAt] : [])
  const excepted = new Set(event.exceptions.map(({ ruledAt }) => ruledAt))
  const moved = event.exceptions.flatMap(({ ruledAt, instead }) =>
    instead === null ? [] : [occurrence(instead, ruledAt, true)],
  )

  return (fromMs, toMs) => {
    const within = ({ startMs }: TimedOccurrence) => fromMs <= startMs && startMs < toMs
    const asRuled = ruled(fromMs - maxOffsetMs, toMs + maxOffsetMs)
      .filter((ruledAt) => !excepted.has(ruledAt))
      .map((ruledAt) => occurrence({ ...event, startsAt: ruledAt }, ruledAt, false))
    return [...asRuled, ...moved].filter(within).sort(byStart)
  }
}

const dayMs = 86_400_000
/** Most rules have an occurrence soon; rules of leap days within ten years. */
const searchedDays = [32, 366, 3_660]

/** The local time of the first occurrence from `nowMs` on that follows the rule. Undefined when there is none. */
export const nextRuled = (event: EventFields, nowMs: number): number | undefined => {
  const { startsAt, recurrence, timeZone, exceptions } = event
  if (recurrence === null) return startsAt
  const ruled = createWallTimes({ startsAt, timeZone, recurrence })
  const excepted = new Set(exceptions.map(({ ruledAt }) => ruledAt))
  const from = Math.max(toWall(nowMs, timeZone), startsAt)
  for (const days of searchedDays) {
    const next = ruled(from, from + days * dayMs).find((ruledAt) => !excepted.has(ruledAt))
    if (next !== undefined) return next
  }
  return undefined
}

export const toOccurrence = ({ eventId, title, startMs, endMs, timeZone, recurring }: TimedOccurrence): Occurrence => ({
  event_id: eventId,
  title,
  time_zone: timeZone,
  recurring,
  starts_at: new Date(startMs).toISOString(),
  ends_at: new Date(endMs).toISOString(),
})

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
