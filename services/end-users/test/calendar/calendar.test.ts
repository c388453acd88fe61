import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { feedItems } from './feed-items.js'
import {
  type CalendarClient,
  event,
  type Installation,
  type Someone,
  someone,
  startInstallation,
} from './installation.js'

let installation: Installation
let client: CalendarClient
const startMs = Date.parse('2026-03-01T12:00:00Z')

const march = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-30T00:00:00.000Z' }
const listed = async (who: Someone, range = march) =>
  (await client.listOccurrences({ ...who, ...range })).occurrences.map(({ starts_at }) => starts_at.slice(0, 16))
const feedOf = async (who: Someone) => {
  const { path } = await client.signFeed(who)
  const signature = /^\/v1\/calendar-feeds\/([\w-]{75})\.ics$/.exec(path)?.[1] ?? ''
  return { signature, ...(await client.readFeed({ signature })) }
}
const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)

describeWithPrograms(['postgres'], 'a calendar', () => {
  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  }, 60_000)
  afterAll(() => installation.stop(), 30_000)
  beforeEach(() => {
    installation.clock.nowMs = startMs
  })

  test('keeps what happens once, by the clock on the wall', async () => {
    const who = someone()
    const created = await client.createEvent({ ...who, event: event() })
    expect(created).toEqual({ id: expect.any(String), ...event(), created_at: expect.any(String) })
    expect(await client.getEvent({ ...who, event_id: created.id })).toEqual(created)
    expect((await client.listOccurrences({ ...who, ...march })).occurrences).toEqual([
      {
        event_id: created.id,
        title: 'Dentist',
        time_zone: 'Europe/Berlin',
        recurring: false,
        starts_at: '2026-03-20T08:30:00.000Z',
        ends_at: '2026-03-20T09:30:00.000Z',
      },
    ])
  })

  test('tells what begins in a range, its end not included', async () => {
    const who = someone()
    await client.createEvent({ ...who, event: event() })
    const at = '2026-03-20T08:30:00.000Z'
    expect(await listed(who, { from: at, to: '2026-03-20T08:30:00.001Z' })).toHaveLength(1)
    expect(await listed(who, { from: '2026-03-20T08:00:00.000Z', to: at })).toHaveLength(0)
    expect(await listed(who, { from: '2026-03-20T08:30:00.001Z', to: march.to })).toHaveLength(0)
  })

  test('goes on at the same time on the wall when clocks are put forward and back', async () => {
    const who = someone()
    await client.createEvent({ ...who, event: event({ starts_at: '2026-03-22T09:00', recurrence: 'FREQ=WEEKLY' }) })
    expect(await listed(who, { from: march.from, to: '2026-04-10T00:00:00.000Z' })).toEqual([
      ...['2026-03-22T08:00', '2026-03-29T07:00', '2026-04-05T07:00'],
    ])
    const october = { from: '2026-10-18T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
    expect(await listed(who, october)).toEqual(['2026-10-18T07:00', '2026-10-25T08:00', '2026-11-01T08:00'])
  })

  test('moves what begins at a time that clocks are put forward over, and takes the first of one that comes twice', async () => {
    const who = someone()
    const daily = { starts_at: '2026-03-28T02:30', recurrence: 'FREQ=DAILY;COUNT=3' }
    const { id } = await client.createEvent({ ...who, event: event(daily) })
    expect(await listed(who)).toEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'])
    // It is found by when it takes place.
    await client.cancelEvent({ ...who, event_id: id, occurrence_starts_at: '2026-03-29T01:30:00.000Z' })
    expect(await listed(who)).toEqual(['2026-03-28T01:30', '2026-03-30T00:30'])
    const plan = await client.planEvent({ ...who, event: event({ starts_at: '2026-10-25T02:30' }) })
    expect(plan).toMatchObject({ starts_at: '2026-10-25T00:30:00.000Z', ends_at: '2026-10-25T01:30:00.000Z' })
  })

  test('tells at most 500 occurrences, and of ranges up to 366 days', async () => {
    const who = someone()
    for (const starts_at of ['2026-03-01T09:00', '2026-03-01T10:00']) {
      await client.createEvent({ ...who, event: event({ starts_at, recurrence: 'FREQ=DAILY' }) })
    }
    const year = { from: '2026-03-01T00:00:00.000Z', to: '2027-03-02T00:00:00.000Z' }
    const occurrences = await listed(who, year)
    expect(occurrences).toHaveLength(500)
    expect(occurrences).toEqual([...occurrences].sort())
    for (const range of [
      { ...year, to: '2027-03-02T00:00:00.001Z' },
      { from: year.to, to: year.from },
    ]) {
      expect(await refusal(client.listOccurrences({ ...who, ...range }))).toMatchObject({ code: 'invalid_request' })
    }
  })

  describe('plans', () => {
    test('tell what takes place at the same time, where ends meet nothing does', async () => {
      const who = someone()
      await client.createEvent({ ...who, event: event({ title: 'Before', starts_at: '2026-03-20T08:30' }) })
      await client.createEvent({ ...who, event: event({ title: 'After', starts_at: '2026-03-20T10:30' }) })
      expect((await client.planEvent({ ...who, event: event() })).conflicts).toEqual([])
      await client.createEvent({
        ...who,
        event: event({ title: 'Travel', starts_at: '2026-03-10T09:00', duration_minutes: 20_160 }),
      })
      expect((await client.planEvent({ ...who, event: event() })).conflicts).toMatchObject([{ title: 'Travel' }])
      expect(await listed(who)).toHaveLength(3)
    })

    test('of what recurs look at each occurrence, whatever the time zones', async () => {
      const who = someone()
      // 18:00 in Berlin is 13:00 in New York but for the weeks in which only one of them has put its clocks forward.
      const weekly = { time_zone: 'America/New_York', starts_at: '2026-03-02T13:00', recurrence: 'FREQ=WEEKLY;COUNT=8' }
      await client.createEvent({ ...who, event: event(weekly) })
      const { conflicts } = await client.planEvent({
        ...who,
        event: event({ starts_at: '2026-03-02T18:00', recurrence: 'FREQ=WEEKLY;COUNT=8' }),
      })
      expect(conflicts.map(({ starts_at }) => starts_at.slice(0, 10))).toEqual([
        // The first: 18:00Z is 19:00 in Berlin, an hour after; in the weeks between they meet.
        ...['2026-03-09', '2026-03-16', '2026-03-23'],
      ])
    })

    test('of a move leave the event itself aside', async () => {
      const who = someone()
      const { id } = await client.createEvent({ ...who, event: event() })
      const later = { ...who, event_id: id, starts_at: '2026-03-20T10:00' }
      expect((await client.planMove(later)).conflicts).toEqual([])
      const other = await client.createEvent({
        ...who,
        event: event({ title: 'Lunch', starts_at: '2026-03-20T10:45' }),
      })
      expect(await client.planMove(later)).toMatchObject({
        title: 'Dentist',
        starts_at: '2026-03-20T09:00:00.000Z',
        recurring: false,
        conflicts: [{ event_id: other.id }],
      })
      expect(await listed(who)).toEqual(['2026-03-20T08:30', '2026-03-20T09:45'])
    })
  })

  describe('moves', () => {
    const weekly = { starts_at: '2026-03-03T09:00', recurrence: 'FREQ=WEEKLY;BYDAY=TU;COUNT=5' }

    test('one occurrence, which is found again by its new time', async () => {
      const who = someone()
      const { id: event_id } = await client.createEvent({ ...who, event: event(weekly) })
      const move = (occurrence_starts_at: string, starts_at: string) =>
        client.moveEvent({ ...who, event_id, occurrence_starts_at, starts_at, duration_minutes: 30 })
      await move('2026-03-10T08:00:00.000Z', '2026-03-11T15:00')
      await move('2026-03-11T14:00:00.000Z', '2026-03-12T15:00')
      expect(await listed(who)).toEqual([
        ...['2026-03-03T08:00', '2026-03-12T14:00', '2026-03-17T08:00', '2026-03-24T08:00', '2026-03-31T07:00'],
      ])
      await client.cancelEvent({ ...who, event_id, occurrence_starts_at: '2026-03-12T14:00:00.000Z' })
      expect(await listed(who)).toHaveLength(4)
      expect(await refusal(move('2026-03-10T08:00:00.000Z', '2026-03-11T15:00'))).toMatchObject({ code: 'not_found' })
    })

    test('all of an event: the next goes there, the rest follows, what was before is done and what was changed stays so', async () => {
      const who = someone()
      const { id: event_id } = await client.createEvent({ ...who, event: event(weekly) })
      await client.cancelEvent({ ...who, event_id, occurrence_starts_at: '2026-03-24T08:00:00.000Z' })
      installation.clock.nowMs = Date.parse('2026-03-11T12:00:00Z')
      const moved = await client.moveEvent({ ...who, event_id, starts_at: '2026-03-18T16:00' })
      expect(moved).toMatchObject({ starts_at: '2026-03-18T16:00', recurrence: 'FREQ=WEEKLY;COUNT=3' })
      expect(await listed(who)).toEqual(['2026-03-18T15:00', '2026-04-01T14:00'])
    })

    test('all of an event by the next that takes place as ruled: one cancelled or moved before it stays as it is', async () => {
      const who = someone()
      const { id: event_id } = await client.createEvent({ ...who, event: event(weekly) })
      await client.cancelEvent({ ...who, event_id, occurrence_starts_at: '2026-03-03T08:00:00.000Z' })
      const second = { ...who, event_id, occurrence_starts_at: '2026-03-10T08:00:00.000Z' }
      await client.moveEvent({ ...second, starts_at: '2026-03-12T18:00' })
      const moved = await client.moveEvent({ ...who, event_id, starts_at: '2026-03-18T16:00' })
      expect(moved).toMatchObject({ starts_at: '2026-03-18T16:00', recurrence: 'FREQ=WEEKLY;COUNT=3' })
      expect(await listed(who)).toEqual([
        ...['2026-03-12T17:00', '2026-03-18T15:00', '2026-03-25T15:00', '2026-04-01T14:00'],
      ])
    })

    test('of a rule that names its days go only to such a day', async () => {
      const who = someone()
      const two = { starts_at: '2026-03-03T09:00', recurrence: 'FREQ=WEEKLY;BYDAY=TU,TH' }
      const { id: event_id } = await client.createEvent({ ...who, event: event(two) })
      const move = (starts_at: string) => client.moveEvent({ ...who, event_id, starts_at })
      expect(await refusal(move('2026-03-04T09:00'))).toMatchObject({ code: 'invalid_request' })
      expect(await move('2026-03-05T10:00')).toMatchObject({ starts_at: '2026-03-05T10:00' })
    })

    test('at once lose none of them', async () => {
      const who = someone()
      const { id: event_id } = await client.createEvent({
        ...who,
        event: event({ ...weekly, recurrence: 'FREQ=WEEKLY;COUNT=4' }),
      })
      const days = ['03', '10', '17', '24']
      await Promise.all(
        days.map((day) =>
          client.moveEvent({
            ...who,
            event_id,
            starts_at: `2026-03-${day}T12:00`,
            occurrence_starts_at: `2026-03-${day}T08:00:00.000Z`,
          }),
        ),
      )
      expect(await listed(who)).toEqual(days.map((day) => `2026-03-${day}T11:00`))
    })
  })

  test('has what is cancelled no more', async () => {
    const who = someone()
    const { id: event_id } = await client.createEvent({ ...who, event: event() })
    const other = { ...who, event_id, occurrence_starts_at: '2026-03-20T08:31:00.000Z' }
    expect(await refusal(client.cancelEvent(other))).toMatchObject({ code: 'not_found' })
    await client.cancelEvent({ ...who, event_id })
    expect(await listed(who)).toEqual([])
    for (const attempt of [
      () => client.cancelEvent({ ...who, event_id }),
      () => client.getEvent({ ...who, event_id }),
      () => client.moveEvent({ ...who, event_id, starts_at: '2026-03-21T09:00' }),
      () => client.planMove({ ...who, event_id, starts_at: '2026-03-21T09:00' }),
    ]) {
      expect(await refusal(attempt())).toMatchObject({ code: 'not_found', detail: 'There is no such event.' })
    }
  })

  test('has room for 1,000 events and 50 that recur, also when many come at once', async () => {
    const who = someone()
    const recurring = event({ recurrence: 'FREQ=YEARLY' })
    const made = await Promise.all(
      Array.from({ length: 53 }, () => refusal(client.createEvent({ ...who, event: recurring }))),
    )
    const refused = made.filter((error) => error !== undefined)
    expect(refused).toHaveLength(3)
    for (const error of refused) expect(error).toMatchObject({ code: 'invalid_request' })
    await installation.database.inWorkspace(who.workspace_id, (transaction) =>
      transaction.query(
        `insert into events (workspace_id, end_user_id, title, starts_at, duration_minutes, time_zone)
         select $1, $2, 'Filler', '2026-01-01', 1, 'UTC' from generate_series(1, 949)`,
        [who.workspace_id, who.end_user_id],
      ),
    )
    await client.createEvent({ ...who, event: event() })
    expect(await refusal(client.createEvent({ ...who, event: event() }))).toMatchObject({ code: 'invalid_request' })
  })

  test.each([
    { starts_at: '2020-01-01T09:00' },
    { starts_at: '2040-01-01T09:00' },
    { recurrence: 'FREQ=HOURLY' },
    { title: 'two\r\nlines' },
    { time_zone: 'Europe/Nowhere' },
    { duration_minutes: 0 },
  ])('does not take an event with %j', async (fields) => {
    const who = someone()
    for (const attempt of [client.createEvent, client.planEvent]) {
      expect(await refusal(attempt({ ...who, event: event(fields) }))).toMatchObject({ code: 'invalid_request' })
    }
  })

  describe('as a feed', () => {
    test('has every occurrence as an event in UTC, and lines that clients can read', async () => {
      const who = someone()
      const title = `Zahnarzt; "Möbel", \\n 😀 ${'日本'.repeat(60)}`
      const { id: event_id } = await client.createEvent({
        ...who,
        event: event({ title, starts_at: '2026-03-22T09:00', recurrence: 'FREQ=WEEKLY;COUNT=3' }),
      })
      const before = await feedOf(who)
      const start = { ...who, event_id, occurrence_starts_at: '2026-04-05T07:00:00.000Z' }
      await client.moveEvent({ ...start, starts_at: '2026-04-06T10:00' })
      const { icalendar, signature } = await feedOf(who)
      expect(signature).toBe(before.signature)
      const items = feedItems(icalendar)
      expect(items.map(({ DTSTART, DTEND }) => [DTSTART, DTEND])).toEqual([
        ['20260322T080000Z', '20260322T090000Z'],
        ['20260329T070000Z', '20260329T080000Z'],
        ['20260406T080000Z', '20260406T090000Z'],
      ])
      expect(items.map(({ UID }) => UID)).toEqual(feedItems(before.icalendar).map(({ UID }) => UID))
      const shown = items[0]!.SUMMARY!.replace(/\\([;,\\])/g, '$1')
      expect(shown).toBe(title)
      for (const line of icalendar.split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(line).not.toMatch(/[\r\n]/)
      }
      expect(icalendar).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)
      expect(icalendar).toMatch(/\r\nEND:VCALENDAR\r\n$/)
    })

    test('stays the same while nothing changes', async () => {
      const who = someone()
      await client.createEvent({ ...who, event: event() })
      const first = await feedOf(who)
      installation.clock.nowMs += 3_600_000
      expect(await feedOf(who)).toEqual(first)
    })

    test('ends with its calendar, of which nothing stays', async () => {
      const who = someone()
      const { id: event_id } = await client.createEvent({ ...who, event: event() })
      const { signature } = await feedOf(who)
      expect(await client.deleteCalendar(who)).toEqual({ deleted: 1 })
      expect(await client.deleteCalendar(who)).toEqual({ deleted: 0 })
      expect(await refusal(client.readFeed({ signature }))).toMatchObject({ code: 'not_found' })
      expect(await refusal(client.getEvent({ ...who, event_id }))).toMatchObject({ code: 'not_found' })
      for (const table of ['events', 'calendars']) {
        const rows = await installation.database.inWorkspace(who.workspace_id, (transaction) =>
          transaction.query(`select * from ${table}`),
        )
        expect(rows).toEqual([])
      }
      await client.createEvent({ ...who, event: event() })
      expect((await feedOf(who)).signature).not.toBe(signature)
      expect(await refusal(client.readFeed({ signature }))).toMatchObject({ code: 'not_found' })
    })
  })

  describe('is its user’s alone', () => {
    const weakened = weakenDatabases()

    test.each([
      ['', (database: Database) => database],
      [' by row-level security alone', weakened.byRowsAlone],
      [' by the filters of the queries alone', weakened.byFiltersAlone],
    ])('in other workspaces and among its users%s', async (_how, wrap) => {
      const wrapped = await installation.open(wrap)
      const mine = someone()
      const strangers = [
        { ...mine, workspace_id: randomUUID() },
        // Users of one workspace are told apart by the queries.
        { ...mine, end_user_id: randomUUID() },
      ]
      const { id: event_id } = await wrapped.createEvent({ ...mine, event: event() })
      const standing = await wrapped.getEvent({ ...mine, event_id })
      for (const stranger of strangers) {
        await wrapped.createEvent({ ...stranger, event: event({ title: 'Other', starts_at: '2026-03-25T09:00' }) })
        for (const attempt of [
          () => wrapped.getEvent({ ...stranger, event_id }),
          () => wrapped.moveEvent({ ...stranger, event_id, starts_at: '2026-03-21T09:00' }),
          () => wrapped.planMove({ ...stranger, event_id, starts_at: '2026-03-21T09:00' }),
          () => wrapped.cancelEvent({ ...stranger, event_id }),
        ]) {
          expect(await refusal(attempt())).toMatchObject({ code: 'not_found' })
        }
        expect((await wrapped.planEvent({ ...stranger, event: event() })).conflicts).toEqual([])
        const { occurrences } = await wrapped.listOccurrences({ ...stranger, ...march })
        expect(occurrences.map(({ title }) => title)).toEqual(['Other'])
        const { path } = await wrapped.signFeed(stranger)
        const { icalendar } = await wrapped.readFeed({ signature: path.slice(19, -4) })
        expect(feedItems(icalendar).map(({ SUMMARY }) => SUMMARY)).toEqual(['Other'])
        expect(await wrapped.deleteCalendar(stranger)).toEqual({ deleted: 1 })
      }
      expect(await wrapped.getEvent({ ...mine, event_id })).toEqual(standing)
    })

    test('which the suite of row-level security does try', () => expect(weakened.rewritten()).toBeGreaterThan(10))

    test('and not to be written into by another workspace', async () => {
      const [here, there] = [someone(), someone()]
      await client.createEvent({ ...there, event: event() })
      expect(await installation.database.query('select * from events')).toEqual([])
      const intrusion = installation.database.inWorkspace(here.workspace_id, (transaction) =>
        transaction.query(
          `insert into calendars (workspace_id, end_user_id, generation) values ($1, $2, '\\x0000000000000000')`,
          [there.workspace_id, here.end_user_id],
        ),
      )
      await expect(intrusion).rejects.toThrow('row-level security')
    })
  })
})
