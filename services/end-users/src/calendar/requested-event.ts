/** Computes the fields of an event that a request creates or moves. */
import { type EventDraft, ServiceError } from '@parlance/contracts'
import type { EventFields, EventTime, StoredEvent } from './calendar-repository.js'
import { movedEvent, occurrenceAt, withOccurrenceMoved } from './change-event.js'
import type { TimedOccurrence } from './event-occurrences.js'
import { checkedRecurrence } from './recurrence.js'
import { fromWall, parseWall } from './wall-clock.js'

const dayMs = 86_400_000
/** The allowed distance of an event's beginning from now. */
const reach = { backMs: 366 * dayMs, aheadMs: 3_660 * dayMs }

const checkReach = <Time extends EventTime>(time: Time, nowMs: number): Time => {
  const awayMs = fromWall(time.startsAt, time.timeZone) - nowMs
  if (awayMs >= -reach.backMs && awayMs <= reach.aheadMs) return time
  throw new ServiceError('invalid_request', 'starts_at: must be within the last year and the next ten')
}

/** Throws `invalid_request` when the event begins too far from now, or when its recurrence is not valid. */
export const draftedEvent = (draft: EventDraft, nowMs: number): EventFields => {
  const { title, duration_minutes: durationMinutes, time_zone: timeZone, recurrence } = draft
  const startsAt = parseWall(draft.starts_at)
  return {
    ...checkReach({ title, startsAt, durationMinutes, timeZone }, nowMs),
    recurrence: recurrence === null ? null : checkedRecurrence({ startsAt, timeZone, recurrence }),
    exceptions: [],
  }
}

/** Throws the error that the method declares. */
type FailNotFound = (code: 'not_found', detail: string) => never

/** The occurrence that a request names, or undefined when the request is about the whole event. Throws `not_found`. */
export const requestedOccurrence = (
  event: StoredEvent,
  { occurrence_starts_at }: { readonly occurrence_starts_at?: string | undefined },
  fail: FailNotFound,
): TimedOccurrence | undefined => {
  if (occurrence_starts_at === undefined) return undefined
  const occurrence = occurrenceAt(event, Date.parse(occurrence_starts_at))
  return occurrence ?? fail('not_found', 'The event has no occurrence at that time.')
}

interface MoveRequest {
  readonly occurrence_starts_at?: string | undefined
  readonly starts_at: string
  readonly duration_minutes?: number | undefined
  readonly time_zone?: string | undefined
}

interface RequestedMove {
  /** The fields of the event after the move. */
  readonly fields: EventFields
  /** The part that begins at the new time: the whole event, or one occurrence as an event that happens once. */
  readonly moved: EventFields
}

/**
 * Throws `not_found` for an occurrence that does not exist, and `invalid_request` when the event cannot begin at the new
 * time.
 */
export const requestedMove = (
  event: StoredEvent,
  request: MoveRequest,
  nowMs: number,
  fail: FailNotFound,
): RequestedMove => {
  const occurrence = requestedOccurrence(event, request, fail)
  const currentMinutes =
    occurrence === undefined ? event.durationMinutes : (occurrence.endMs - occurrence.startMs) / 60_000
  const time = checkReach(
    {
      startsAt: parseWall(request.starts_at),
      durationMinutes: request.duration_minutes ?? currentMinutes,
      timeZone: request.time_zone ?? event.timeZone,
    },
    nowMs,
  )
  if (occurrence === undefined) {
    const fields = movedEvent(event, time, nowMs)
    return { fields, moved: fields }
  }
  const moved = { ...event, ...time, recurrence: null, exceptions: [] }
  return { fields: withOccurrenceMoved(event, occurrence, time), moved }
}
