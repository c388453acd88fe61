import type { Occurrence } from '@parlance/contracts'
import type { CalendarClient, CalendarOwner, CalendarReader } from './calendar-reader.js'
import type { Confirmation } from './confirmation.js'
import type { LocalClock } from './local-clock.js'

/** What the calendar tools of one conversation share. */
export interface UserCalendar {
  readonly calendar: CalendarClient
  readonly owner: CalendarOwner
  readonly reader: CalendarReader
  readonly clock: LocalClock
  readonly confirmation: Confirmation
  /** The options of calls that change the calendar or plan a change. */
  readonly calling: { readonly context: { readonly requestId: string } }
  /**
   * A sentence for the model: the clock that all times are on, and what it showed when the conversation began. Models have no
   * clock, and the time in their prompt is UTC.
   */
  readonly asOf: string
}

export const describeEvent = (
  clock: LocalClock,
  { title, starts_at, ends_at }: Pick<Occurrence, 'title' | 'starts_at' | 'ends_at'>,
): string => `${JSON.stringify(title)}, ${clock.span(starts_at, ends_at)}`
