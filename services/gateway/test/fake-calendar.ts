import { calendarContract, type Occurrence } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

export const occurrence: Occurrence = {
  event_id: '8c0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  title: 'Dentist',
  starts_at: '2026-03-20T08:30:00.000Z',
  ends_at: '2026-03-20T09:30:00.000Z',
  time_zone: 'Europe/Berlin',
  recurring: false,
}

export const feed = {
  signature: 'a-signature',
  icalendar: 'BEGIN:VCALENDAR\r\nSUMMARY:Zahnärztin\r\nEND:VCALENDAR\r\n',
}

/** A calendar for the routes that read it. Its requests are in `requests`, by method. */
export const createFakeCalendar = () => {
  const requests: Partial<Record<keyof typeof calendarContract.methods, unknown>> = {}
  const handlers = fakeHandlers(calendarContract, {
    listOccurrences(request) {
      requests.listOccurrences = request
      return { occurrences: [occurrence] }
    },
    signFeed(request) {
      requests.signFeed = request
      return { path: `/v1/calendar-feeds/${feed.signature}.ics` }
    },
    readFeed(request, { fail }) {
      requests.readFeed = request
      const { icalendar } = feed
      return request.signature === feed.signature ? { icalendar } : fail('not_found', 'There is no such calendar feed.')
    },
    deleteCalendar(request) {
      requests.deleteCalendar = request
      return { deleted: 1 }
    },
  })
  return { requests, handlers }
}
