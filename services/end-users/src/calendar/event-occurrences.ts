import type { Occurrence } from '@parlance/contracts'
import { createWallTimes } from './recurrence.js'
import type { EventFields, EventTime } from './stored-event.js'
import { fromWall, toWall } from './wall-clock.js'

/** One time at which an event takes place, in ms since 1970. */
export interface TimedOccurrence {
  readonly eventId: string
  readonly title: string
  readonly startMs: number
  readonly endMs: number
  readonly timeZone: string
  readonly recurring: boolean
  /** When the event's rule has it, on the wall. */
  readonly ruledAt: number
  /** Not when the rule has it. */
  readonly moved: boolean
}

/** Tells, in their order, the occurrences that begin from one time up to another, not including that. In ms since 1970. */
export type EventOccurrences = (fromMs: number, toMs: number) => TimedOccurrence[]

/** Of the clocks of any time zone, from UTC's; and by how much clocks were ever put forward at once. */
const widestOffsetMs = 26 * 3_600_000

export type IdentifiedEvent = EventFields & { readonly id: string }

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
    const asRuled = ruled(fromMs - widestOffsetMs, toMs + widestOffsetMs)
      .filter((ruledAt) => !excepted.has(ruledAt))
      .map((ruledAt) => occurrence({ ...event, startsAt: ruledAt }, ruledAt, false))
    return [...asRuled, ...moved].filter(within).sort(byStart)
  }
}

const dayMs = 86_400_000
/** Most rules have one soon; those of leap days do within ten years. */
const looksAheadDays = [32, 366, 3_660]

/** When the rule has the first occurrence from a time on that takes place then. Undefined where there is none any more. */
export const nextRuled = (event: EventFields, nowMs: number): number | undefined => {
  const { startsAt, recurrence, timeZone, exceptions } = event
  if (recurrence === null) return startsAt
  const ruled = createWallTimes({ startsAt, timeZone, recurrence })
  const excepted = new Set(exceptions.map(({ ruledAt }) => ruledAt))
  const from = Math.max(toWall(nowMs, timeZone), startsAt)
  for (const days of looksAheadDays) {
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
