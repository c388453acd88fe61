import { randomUUID } from 'node:crypto'
import { type Client, createClient, createInProcessBus, serve } from '@parlance/bus'
import { calendarContract } from '@parlance/contracts'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, patientClient, startPostgresServer } from '@parlance/testing'
import { createCalendarHandlers } from '../../src/calendar/calendar-handlers.js'
import { createCalendarRepository } from '../../src/calendar/calendar-repository.js'
import { createFeedSignatures } from '../../src/calendar/feed-signature.js'
import { calendarSchema } from '../../src/calendar/start-calendar.js'

const startMs = Date.parse('2026-03-01T12:00:00Z')

export type CalendarClient = Client<typeof calendarContract>

/** A calendar service on a Postgres of its own, with a clock that the test sets. */
export const startInstallation = async () => {
  const postgres = await startPostgresServer()
  const database = await openPostgresDatabase({ url: postgres.url, ...calendarSchema })
  const clock = { nowMs: startMs }
  const opened: (() => Promise<void>)[] = []

  /** Opens another service on the same database, which `wrap` may change. */
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
    return patientClient(createClient(bus, calendarContract))
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

/** An end user of a workspace of its own. */
export const newEndUser = () => ({ workspace_id: randomUUID(), end_user_id: randomUUID() })
export type EndUser = ReturnType<typeof newEndUser>

export const event = (fields: object = {}) => ({
  title: 'Dentist',
  starts_at: '2026-03-20T09:30',
  duration_minutes: 60,
  time_zone: 'Europe/Berlin',
  recurrence: null,
  ...fields,
})

/** March and April of the year in which the clock starts. */
export const march = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-30T00:00:00.000Z' }

/** The error that `work` rejects with; undefined when it resolves. */
export const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)

const openScene = (installation: Installation) => ({
  installation,
  client: installation.client,
  /** The beginnings of the occurrences in a range. */
  async startsOf(owner: EndUser, range = march) {
    const { occurrences } = await installation.client.listOccurrences({ ...owner, ...range })
    return occurrences.map(({ starts_at }) => starts_at.slice(0, 16))
  },
  async feedOf(owner: EndUser) {
    const { path } = await installation.client.signFeed(owner)
    const signature = /^\/v1\/calendar-feeds\/([\w-]{75})\.ics$/.exec(path)?.[1] ?? ''
    return { signature, ...(await installation.client.readFeed({ signature })) }
  },
})

/** Tests with one installation, whose clock shows its start before each test. */
export const describeWithCalendar = (name: string, tests: (scene: ReturnType<typeof openScene>) => void): void =>
  describeWithPrograms(['postgres'], name, () => {
    const scene = {} as ReturnType<typeof openScene>
    beforeAll(async () => void Object.assign(scene, openScene(await startInstallation())))
    afterAll(() => scene.installation?.stop())
    beforeEach(() => {
      scene.installation.clock.nowMs = startMs
    })
    tests(scene)
  })
