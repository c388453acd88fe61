/** What becomes of an event that is moved or cancelled, all of it or one occurrence. Pure. */
import { ServiceError } from '@parlance/contracts'
import { createEventOccurrences, nextRuled, type TimedOccurrence } from './event-occurrences.js'
import { checkedRecurrence, recurrenceFrom } from './recurrence.js'
import type { EventFields, EventTime, Exception, StoredEvent } from './stored-event.js'
import { fromWall } from './wall-clock.js'

const mostExceptions = 500

/** The occurrence that begins then, in ms since 1970. */
export const occurrenceAt = (event: StoredEvent, startMs: number): TimedOccurrence | undefined =>
  createEventOccurrences(event)(startMs, startMs + 1)[0]

const excepted = (event: StoredEvent, exception: Exception): EventFields => {
  const others = event.exceptions.filter(({ ruledAt }) => ruledAt !== exception.ruledAt)
  if (others.length < mostExceptions) return { ...event, exceptions: [...others, exception] }
  throw new ServiceError('invalid_request', 'Too many occurrences of this event were changed. Make another event.')
}

/** Undefined where nothing is left. */
export const withoutOccurrence = (event: StoredEvent, { ruledAt }: TimedOccurrence): EventFields | undefined =>
  event.recurrence === null ? undefined : excepted(event, { ruledAt, instead: null })

export const withOccurrenceMoved = (
  event: StoredEvent,
  { ruledAt }: TimedOccurrence,
  { startsAt, durationMinutes, timeZone }: EventTime,
): EventFields =>
  event.recurrence === null
    ? { ...event, startsAt, durationMinutes, timeZone }
    : excepted(event, { ruledAt, instead: { startsAt, durationMinutes, timeZone } })

/**
 * The next occurrence that its rule has goes to that time, and the rest follows. Of what took place before nothing stays but
 * that it counts. Occurrences that were cancelled or moved stay so. Throws `invalid_request` where the rule has no such day.
 */
export const movedEvent = (
  event: StoredEvent,
  { startsAt, durationMinutes, timeZone }: EventTime,
  nowMs: number,
): EventFields => {
  const time = { startsAt, durationMinutes, timeZone }
  if (event.recurrence === null) return { ...event, ...time }
  const next = nextRuled(event, nowMs) ?? event.startsAt
  const recurrence = recurrenceFrom({ ...event, recurrence: event.recurrence }, next)
  const isAhead = ({ ruledAt, instead }: Exception) =>
    ruledAt >= next || (instead !== null && fromWall(instead.startsAt, instead.timeZone) >= nowMs)
  return {
    ...event,
    ...time,
    recurrence: checkedRecurrence({ startsAt, timeZone, recurrence }),
    exceptions: event.exceptions
      .filter(isAhead)
      .map(({ ruledAt, instead }) => ({ ruledAt: ruledAt - next + startsAt, instead })),
  }
}
