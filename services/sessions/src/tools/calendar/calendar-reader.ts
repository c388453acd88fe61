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
  /** Occurrences that begin on these local days, the last included. Rejects with `invalid_request` for no day and for too many. */
  onDays(from: string, to: string, signal: AbortSignal): Promise<Occurrence[]>
  /** The occurrence of an event that begins at this local time; the first one when the time occurs twice. */
  occurrenceAt(eventId: string, time: string, signal: AbortSignal): Promise<Occurrence | undefined>
}

/** No time zone differs more from UTC. */
const maxOffsetMs = 26 * 3_600_000
const dayMs = 24 * 3_600_000

export interface CalendarReaderOptions {
  readonly calendar: Pick<CalendarClient, 'listOccurrences'>
  readonly owner: CalendarOwner
  readonly clock: LocalClock
  readonly requestId: string
}

export const createCalendarReader = (options: CalendarReaderOptions): CalendarReader => {
  const { calendar, owner, clock, requestId } = options

  /** The occurrences between two local times in any time zone; callers filter them by the user's clock. */
  const around = async (fromMs: number, toMs: number, signal: AbortSignal) => {
    const from = new Date(fromMs - maxOffsetMs).toISOString()
    const to = new Date(toMs + maxOffsetMs).toISOString()
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
