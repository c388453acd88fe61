import type { Handlers } from '@parlance/bus'
import { type CalendarEvent, type calendarContract, ServiceError } from '@parlance/contracts'
import { createFeedHandlers } from './calendar-feed.js'
import {
  type CalendarOwner,
  type CalendarRepository,
  type EventFields,
  ownerOf,
  type StoredEvent,
} from './calendar-repository.js'
import { withoutOccurrence } from './change-event.js'
import { listOccurrences, toOccurrence } from './event-occurrences.js'
import type { FeedSignatures } from './feed-signature.js'
import { planEvent } from './plan-event.js'
import { draftedEvent, requestedMove, requestedOccurrence } from './requested-event.js'
import { printWall } from './wall-clock.js'

interface CalendarHandlersOptions {
  readonly calendars: CalendarRepository
  readonly signatures: FeedSignatures
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const dayMs = 86_400_000
const maxRangeMs = 366 * dayMs
const maxListed = 500
const noEvent = 'There is no such event.'

const toEvent = (event: StoredEvent): CalendarEvent => ({
  id: event.id,
  title: event.title,
  starts_at: printWall(event.startsAt),
  duration_minutes: event.durationMinutes,
  time_zone: event.timeZone,
  recurrence: event.recurrence,
  created_at: new Date(event.createdAtMs).toISOString(),
})

const rangeOf = ({ from, to }: { from: string; to: string }): { fromMs: number; toMs: number } => {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  if (fromMs >= toMs) throw new ServiceError('invalid_request', 'from: must be before to')
  if (toMs - fromMs > maxRangeMs) throw new ServiceError('invalid_request', 'from: must be within 366 days of to')
  return { fromMs, toMs }
}

export const createCalendarHandlers = (options: CalendarHandlersOptions): Handlers<typeof calendarContract> => {
  const { calendars, signatures, now = Date.now } = options

  const plan = (owner: CalendarOwner, fields: EventFields, recurring: boolean, eventId?: string) =>
    planEvent({
      fields,
      recurring,
      eventId,
      listEvents: (fromMs, toMs) => calendars.list(owner, fromMs, toMs),
    })

  return {
    async listOccurrences(request) {
      const { fromMs, toMs } = rangeOf(request)
      const events = await calendars.list(ownerOf(request), fromMs, toMs)
      const occurrences = await listOccurrences(events, fromMs, toMs)
      return { occurrences: occurrences.slice(0, maxListed).map(toOccurrence) }
    },

    async getEvent(request, { fail }) {
      return toEvent((await calendars.find(ownerOf(request), request.event_id)) ?? fail('not_found', noEvent))
    },

    planEvent: (request) =>
      plan(ownerOf(request), draftedEvent(request.event, now()), request.event.recurrence !== null),

    async createEvent(request) {
      return toEvent(await calendars.create(ownerOf(request), draftedEvent(request.event, now())))
    },

    async planMove(request, { fail }) {
      const event = (await calendars.find(ownerOf(request), request.event_id)) ?? fail('not_found', noEvent)
      const { moved } = requestedMove(event, request, now(), fail)
      return plan(ownerOf(request), moved, event.recurrence !== null, event.id)
    },

    async moveEvent(request, { fail }) {
      const moved = await calendars.whileLocked(ownerOf(request), request.event_id, ({ event, update }) =>
        update(requestedMove(event, request, now(), fail).fields),
      )
      return moved === undefined ? fail('not_found', noEvent) : toEvent(moved)
    },

    async cancelEvent(request, { fail }) {
      const cancelled = await calendars.whileLocked(ownerOf(request), request.event_id, async (locked) => {
        const { event } = locked
        const occurrence = requestedOccurrence(event, request, fail)
        const remaining = occurrence && withoutOccurrence(event, occurrence)
        if (remaining === undefined) await locked.remove()
        else await locked.update(remaining)
        return {}
      })
      return cancelled ?? fail('not_found', noEvent)
    },

    ...createFeedHandlers({ calendars, signatures, now }),

    deleteCalendar: async (request) => ({ deleted: await calendars.remove(ownerOf(request)) }),
  }
}
