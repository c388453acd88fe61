import { randomUUID } from 'node:crypto'
import type { EventDraft, EventPlan, Occurrence } from '@parlance/contracts'
import type { CalendarClient } from '../../../src/tools/calendar/calendar-reader.js'

export const eventId = randomUUID()

export const occurrence = (fields: Partial<Occurrence> = {}): Occurrence => ({
  event_id: eventId,
  title: 'Dentist',
  time_zone: 'Europe/Berlin',
  recurring: false,
  starts_at: '2026-03-20T08:30:00.000Z',
  ends_at: '2026-03-20T09:30:00.000Z',
  ...fields,
})

/** A stand-in for the calendar, and the requests that it got. */
export const createFakeCalendar = () => {
  const asked: [method: string, request: Record<string, unknown>][] = []
  const state = { occurrences: [occurrence()], conflicts: [] as Occurrence[], failure: undefined as Error | undefined }
  const answer = <Reply>(method: string, reply: (request: never) => Reply) =>
    (async (request: never) => {
      asked.push([method, request])
      if (state.failure !== undefined) throw state.failure
      return reply(request)
    }) as never
  const plan = (): EventPlan => ({ ...occurrence(), recurring: false, conflicts: state.conflicts })
  const event = { id: eventId, title: 'Dentist', recurrence: null } as unknown as EventDraft
  const calendar: CalendarClient = {
    listOccurrences: answer('listOccurrences', () => ({ occurrences: state.occurrences })),
    getEvent: answer('getEvent', () => event),
    planEvent: answer('planEvent', plan),
    planMove: answer('planMove', plan),
    createEvent: answer('createEvent', () => event),
    moveEvent: answer('moveEvent', () => event),
    cancelEvent: answer('cancelEvent', () => ({})),
  }
  return {
    calendar,
    asked,
    state,
    changes: () => asked.filter(([method]) => ['createEvent', 'moveEvent', 'cancelEvent'].includes(method)),
  }
}
