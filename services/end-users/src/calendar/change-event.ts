/** Computes the fields of an event after a move or a cancellation of the event or of one occurrence. */
import { ServiceError } from '@parlance/contracts'
import type { EventFields, EventTime, Exception, StoredEvent } from './calendar-repository.js'
import { createEventOccurrences, nextRuled, type TimedOccurrence } from './event-occurrences.js'
import { checkedRecurrence, recurrenceFrom } from './recurrence.js'
import { fromWall } from './wall-clock.js'

const maxExceptions = 500

/** The occurrence that begins at `startMs`, in ms since 1970. */
export const occurrenceAt = (event: StoredEvent, startMs: number): TimedOccurrence | undefined =>
  createEventOccurrences(event)(startMs, startMs + 1)[0]

const excepted = (event: StoredEvent, exception: Exception): EventFields => {
  const others = event.exceptions.filter(({ ruledAt }) => ruledAt !== exception.ruledAt)
  if (others.length < maxExceptions) return { ...event, exceptions: [...others, exception] }
  throw new ServiceError('invalid_request', 'Too many occurrences of this event were changed. Create another event.')
}

/** Undefined when the event has no other occurrence. */
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
 * Moves the next occurrence that follows the rule to the given time, and later ones with it. Earlier occurrences are
 * dropped, but count in `COUNT`. Exceptions stay. Throws `invalid_request` when the new day does not match the rule.
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
