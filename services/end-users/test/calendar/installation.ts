import { randomUUID } from 'node:crypto'
import { type Client, createClient, createInProcessBus, serve } from '@parlance/bus'
import { calendarContract } from '@parlance/contracts'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { startPostgresServer } from '@parlance/testing'
import { createCalendarHandlers } from '../../src/calendar/calendar-handlers.js'
import { createCalendarRepository } from '../../src/calendar/calendar-repository.js'
import { calendarSchema } from '../../src/calendar/calendar-schema.js'
import { createFeedSignatures } from '../../src/calendar/feed-signature.js'

export type CalendarClient = Client<typeof calendarContract>

/** Calendars on a bus and a Postgres of its own, at a time that the test sets. */
export const startInstallation = async () => {
  const postgres = await startPostgresServer()
  const database = await openPostgresDatabase({ url: postgres.url, ...calendarSchema })
  const clock = { nowMs: Date.parse('2026-03-01T12:00:00Z') }
  const opened: (() => Promise<void>)[] = []

  /** One more service on the same database, which may see it in its own way. */
  const open = async (wrap = (database: Database) => database): Promise<CalendarClient> => {
    const bus = createInProcessBus()
    const handlers = createCalendarHandlers({
      calendars: createCalendarRepository(wrap(database)),
      signatures: createFeedSignatures('a-key-for-tests-only'),
      now: () => clock.nowMs,
    })
    const served = await serve(bus, calendarContract, handlers, { instanceId: randomUUID() })
    opened.push(async () => {
      await served.stop()
      await bus.close()
    })
    return createClient(bus, calendarContract)
  }

  return {
    client: await open(),
    open,
    database,
    clock,
    async stop() {
      for (const close of opened) await close()
      await database.close()
      await postgres.stop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>

export const someone = () => ({ workspace_id: randomUUID(), end_user_id: randomUUID() })
export type Someone = ReturnType<typeof someone>

export const event = (fields: object = {}) => ({
  title: 'Dentist',
  starts_at: '2026-03-20T09:30',
  duration_minutes: 60,
  time_zone: 'Europe/Berlin',
  recurrence: null,
  ...fields,
})
