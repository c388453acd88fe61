import type { Logger } from '@parlance/telemetry'
import type { OpenToolsOptions } from '../tool.js'
import { type CalendarClient, createCalendarReader, createLocalClock } from './calendar-reader.js'

/** The user's events of the next days, a line each; none when the Agent has no calendar. Never rejects. */
export type ReadAppointments = (
  conversation: Pick<OpenToolsOptions, 'workspaceId' | 'endUserId' | 'timeZone' | 'requestId' | 'sessionId' | 'config'>,
) => Promise<readonly string[]>

interface ReadAppointmentsOptions {
  readonly calendar: Pick<CalendarClient, 'listOccurrences'>
  readonly logger: Logger
}

const dayMs = 24 * 3_600_000
const daysAhead = 7
const maxAppointments = 10
/** A conversation starts without appointments rather than late. */
const timeoutMs = 2_000

export const createReadAppointments =
  ({ calendar, logger }: ReadAppointmentsOptions): ReadAppointments =>
  async ({ workspaceId, endUserId, timeZone, requestId, sessionId, config }) => {
    if (!config.calendar_enabled || endUserId === null) return []
    const clock = createLocalClock(timeZone)
    const owner = { workspace_id: workspaceId, end_user_id: endUserId }
    const nowMs = Date.now()
    const day = (atMs: number) => clock.time(atMs).slice(0, 10)
    try {
      const occurrences = await createCalendarReader({ calendar, owner, clock, requestId }).onDays(
        day(nowMs),
        day(nowMs + daysAhead * dayMs),
        AbortSignal.timeout(timeoutMs),
      )
      return occurrences
        .filter(({ ends_at }) => Date.parse(ends_at) > nowMs)
        .slice(0, maxAppointments)
        .map(({ title, starts_at, ends_at }) => `${JSON.stringify(title)}, ${clock.span(starts_at, ends_at)}`)
    } catch (err) {
      logger.warn({ requestId, sessionId, err }, 'The appointments of a user could not be read')
      return []
    }
  }
