import type { Client } from '@parlance/bus'
import { type calendarContract, type Occurrence, ServiceError } from '@parlance/contracts'

export type CalendarClient = Pick<
  Client<typeof calendarContract>,
  'listOccurrences' | 'getEvent' | 'planEvent' | 'createEvent' | 'planMove' | 'moveEvent' | 'cancelEvent'
>

export interface CalendarOwner {
  readonly workspace_id: string
  readonly end_user_id: string
}

/** No time zone differs more from UTC. */
const maxOffsetMs = 26 * 3_600_000
const dayMs = 24 * 3_600_000

interface CalendarReaderOptions {
  readonly calendar: Pick<CalendarClient, 'listOccurrences'>
  readonly owner: CalendarOwner
  readonly clock: LocalClock
  readonly requestId: string
}

export type CalendarReader = ReturnType<typeof createCalendarReader>

export const createCalendarReader = (options: CalendarReaderOptions) => {
  const { calendar, owner, clock, requestId } = options

  /** The occurrences between two local times in any time zone; callers filter them by the user's clock. */
  const around = async (fromMs: number, toMs: number, signal: AbortSignal) => {
    const from = new Date(fromMs - maxOffsetMs).toISOString()
    const to = new Date(toMs + maxOffsetMs).toISOString()
    const { occurrences } = await calendar.listOccurrences({ ...owner, from, to }, { context: { requestId }, signal })
    return occurrences
  }

  return {
    /** Occurrences that begin on these local days, the last included. Rejects with `invalid_request` for no day and for too many. */
    async onDays(from: string, to: string, signal: AbortSignal): Promise<Occurrence[]> {
      if (to < from) throw new ServiceError('invalid_request', 'to: must not be before from')
      const occurrences = await around(Date.parse(from), Date.parse(to) + dayMs, signal)
      return occurrences.filter(({ starts_at }) => {
        const day = clock.time(starts_at).slice(0, 10)
        return from <= day && day <= to
      })
    },

    /** The occurrence of an event that begins at this local time; the first one when the time occurs twice. */
    async occurrenceAt(eventId: string, time: string, signal: AbortSignal): Promise<Occurrence | undefined> {
      const atMs = Date.parse(`${time}Z`)
      const occurrences = await around(atMs, atMs + 1, signal)
      return occurrences.find(({ event_id, starts_at }) => event_id === eventId && clock.time(starts_at) === time)
    },
  }
}

export type LocalClock = ReturnType<typeof createLocalClock>

/** Formats times in the user's time zone, in a form that models read and write well. */
export const createLocalClock = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = (instant: string | number) => {
    const found = Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
    const { year, month, day, hour, minute, weekday } = found
    return { weekday, date: `${year}-${month}-${day}`, time: `${hour}:${minute}` }
  }
  const words = (instant: string | number) => {
    const { weekday, date, time } = parts(instant)
    return `${weekday} ${date} ${time}`
  }
  return {
    timeZone,
    /** Such as `Friday 2026-03-20 09:30`. */
    words,
    /** Such as `2026-03-20T09:30`. */
    time(instant: string | number): string {
      const { date, time } = parts(instant)
      return `${date}T${time}`
    },
    /** Such as `Friday 2026-03-20 09:30 to 10:30`. */
    span(from: string, to: string): string {
      const [start, end] = [parts(from), parts(to)]
      return `${words(from)} to ${start.date === end.date ? end.time : words(to)}`
    },
  }
}
