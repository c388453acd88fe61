import type { Client } from '@parlance/bus'
import { type calendarContract, type Occurrence, ServiceError } from '@parlance/contracts'
import type { LocalClock } from './local-clock.js'

export type CalendarClient = Pick<
  Client<typeof calendarContract>,
  'listOccurrences' | 'getEvent' | 'planEvent' | 'createEvent' | 'planMove' | 'moveEvent' | 'cancelEvent'
>

export interface CalendarOwner {
  readonly workspace_id: string
  readonly end_user_id: string
}

export interface CalendarReader {
  /** What begins on these days of the user's clock, the last included. Throws `invalid_request` for none and for too many. */
  onDays(from: string, to: string, signal: AbortSignal): Promise<Occurrence[]>
  /** That of an event which begins at this time on the user's clock; the first, where clocks show it twice. */
  occurrenceAt(eventId: string, time: string, signal: AbortSignal): Promise<Occurrence | undefined>
}

/** No clock is further from UTC's. */
const widestOffsetMs = 26 * 3_600_000
const dayMs = 24 * 3_600_000

export interface CalendarReaderOptions {
  readonly calendar: Pick<CalendarClient, 'listOccurrences'>
  readonly owner: CalendarOwner
  readonly clock: LocalClock
  readonly requestId: string
}

export const createCalendarReader = (options: CalendarReaderOptions): CalendarReader => {
  const { calendar, owner, clock, requestId } = options

  /** The bounds are taken for UTC's, so wide that nothing is missed; what the user's clock says decides. */
  const around = async (fromMs: number, toMs: number, signal: AbortSignal) => {
    const from = new Date(fromMs - widestOffsetMs).toISOString()
    const to = new Date(toMs + widestOffsetMs).toISOString()
    const { occurrences } = await calendar.listOccurrences({ ...owner, from, to }, { context: { requestId }, signal })
    return occurrences
  }

  return {
    async onDays(from, to, signal) {
      if (to < from) throw new ServiceError('invalid_request', 'to: must not be before from')
      const occurrences = await around(Date.parse(from), Date.parse(to) + dayMs, signal)
      return occurrences.filter(({ starts_at }) => {
        const day = clock.time(starts_at).slice(0, 10)
        return from <= day && day <= to
      })
    },

    async occurrenceAt(eventId, time, signal) {
      const atMs = Date.parse(`${time}Z`)
      const occurrences = await around(atMs, atMs + 1, signal)
      return occurrences.find(({ event_id, starts_at }) => event_id === eventId && clock.time(starts_at) === time)
    },
  }
}
