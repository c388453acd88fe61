import type { Handlers } from '@parlance/bus'
import { type CalendarEvent, type calendarContract, type EventDraft, ServiceError } from '@parlance/contracts'
import type { CalendarOwner, CalendarRepository } from './calendar-repository.js'
import { movedEvent, occurrenceAt, withOccurrenceMoved, withoutOccurrence } from './change-event.js'
import { toOccurrence } from './event-occurrences.js'
import { feedDocument, feedWindow, maxFeedItems } from './feed-document.js'
import type { FeedSignatures } from './feed-signature.js'
import { listOccurrences } from './list-occurrences.js'
import { planEvent } from './plan-event.js'
import { checkedRecurrence } from './recurrence.js'
import type { EventFields, EventTime, StoredEvent } from './stored-event.js'
import { fromWall, parseWall, printWall } from './wall-clock.js'

export interface CalendarHandlersOptions {
  readonly calendars: CalendarRepository
  readonly signatures: FeedSignatures
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const dayMs = 86_400_000
const maxRangeMs = 366 * dayMs
const maxListed = 500
/** How far from now an event may begin. */
const reach = { backMs: 366 * dayMs, aheadMs: 3_660 * dayMs }

const noEvent = 'There is no such event.'
const noOccurrence = 'The event does not begin then.'

const ownerOf = (request: { workspace_id: string; end_user_id: string }): CalendarOwner => ({
  workspaceId: request.workspace_id,
  endUserId: request.end_user_id,
})

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

interface MoveRequest {
  occurrence_starts_at?: string | undefined
  starts_at: string
  duration_minutes?: number | undefined
  time_zone?: string | undefined
}

export const createCalendarHandlers = (options: CalendarHandlersOptions): Handlers<typeof calendarContract> => {
  const { calendars, signatures, now = Date.now } = options

  const checkReach = <Time extends EventTime>(time: Time): Time => {
    const awayMs = fromWall(time.startsAt, time.timeZone) - now()
    if (awayMs >= -reach.backMs && awayMs <= reach.aheadMs) return time
    throw new ServiceError('invalid_request', 'starts_at: must be within the last year and the next ten')
  }

  const fieldsOf = (draft: EventDraft): EventFields => {
    const { title, duration_minutes: durationMinutes, time_zone: timeZone, recurrence } = draft
    const startsAt = parseWall(draft.starts_at)
    return {
      ...checkReach({ title, startsAt, durationMinutes, timeZone }),
      recurrence: recurrence === null ? null : checkedRecurrence({ startsAt, timeZone, recurrence }),
      exceptions: [],
    }
  }

  /**
   * The fields of the event after a move, and the part of it that begins at the new time: the whole event, or one occurrence as an
   * event that happens once.
   */
  const move = (event: StoredEvent, request: MoveRequest, fail: (code: 'not_found', detail: string) => never) => {
    const { occurrence_starts_at, starts_at, duration_minutes, time_zone } = request
    const occurrence =
      occurrence_starts_at === undefined
        ? undefined
        : (occurrenceAt(event, Date.parse(occurrence_starts_at)) ?? fail('not_found', noOccurrence))
    const currentMinutes =
      occurrence === undefined ? event.durationMinutes : (occurrence.endMs - occurrence.startMs) / 60_000
    const time = checkReach({
      startsAt: parseWall(starts_at),
      durationMinutes: duration_minutes ?? currentMinutes,
      timeZone: time_zone ?? event.timeZone,
    })
    if (occurrence === undefined) {
      const fields = movedEvent(event, time, now())
      return { fields, moved: fields }
    }
    const moved = { ...event, ...time, recurrence: null, exceptions: [] }
    return { fields: withOccurrenceMoved(event, occurrence, time), moved }
  }

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

    planEvent: (request) => plan(ownerOf(request), fieldsOf(request.event), request.event.recurrence !== null),

    async createEvent(request) {
      return toEvent(await calendars.create(ownerOf(request), fieldsOf(request.event)))
    },

    async planMove(request, { fail }) {
      const event = (await calendars.find(ownerOf(request), request.event_id)) ?? fail('not_found', noEvent)
      const { moved } = move(event, request, fail)
      return plan(ownerOf(request), moved, event.recurrence !== null, event.id)
    },

    async moveEvent(request, { fail }) {
      const moved = await calendars.whileLocked(ownerOf(request), request.event_id, ({ event, update }) =>
        update(move(event, request, fail).fields),
      )
      return moved === undefined ? fail('not_found', noEvent) : toEvent(moved)
    },

    async cancelEvent(request, { fail }) {
      const { occurrence_starts_at } = request
      const cancelled = await calendars.whileLocked(ownerOf(request), request.event_id, async (locked) => {
        const { event } = locked
        const occurrence =
          occurrence_starts_at === undefined
            ? undefined
            : (occurrenceAt(event, Date.parse(occurrence_starts_at)) ?? fail('not_found', noOccurrence))
        const remaining = occurrence && withoutOccurrence(event, occurrence)
        if (remaining === undefined) await locked.remove()
        else await locked.update(remaining)
        return {}
      })
      return cancelled ?? fail('not_found', noEvent)
    },

    async signFeed(request) {
      const owner = ownerOf(request)
      const signature = signatures.sign({ ...owner, generation: await calendars.generationOf(owner) })
      return { path: `/v1/calendar-feeds/${signature}.ics` }
    },

    async readFeed({ signature }, { fail }) {
      const signed = signatures.read(signature)
      if (signed === undefined || !(await calendars.hasGeneration(signed, signed.generation))) {
        return fail('not_found', 'There is no such calendar feed.')
      }
      const { fromMs, toMs } = feedWindow(now())
      const events = await calendars.list(signed, fromMs, toMs)
      const changedAtMs = new Map(events.map((event) => [event.id, event.changedAtMs]))
      const occurrences = await listOccurrences(events, fromMs, toMs)
      const items = occurrences
        .slice(0, maxFeedItems)
        .map((occurrence) => ({ occurrence, changedAtMs: changedAtMs.get(occurrence.eventId) ?? 0 }))
      return { icalendar: await feedDocument(items) }
    },

    deleteCalendar: async (request) => ({ deleted: await calendars.remove(ownerOf(request)) }),
  }
}
