import { describeWithCalendar, event, march, newEndUser, refusal } from './calendar-scene.js'

describeWithCalendar('a calendar', (scene) => {
  test('keeps an event by its local time', async () => {
    const owner = newEndUser()
    const created = await scene.client.createEvent({ ...owner, event: event() })
    expect(created).toEqual({ id: expect.any(String), ...event(), created_at: expect.any(String) })
    expect(await scene.client.getEvent({ ...owner, event_id: created.id })).toEqual(created)
    expect((await scene.client.listOccurrences({ ...owner, ...march })).occurrences).toEqual([
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

  test('lists the occurrences that begin in a range, without its end', async () => {
    const owner = newEndUser()
    await scene.client.createEvent({ ...owner, event: event() })
    const at = '2026-03-20T08:30:00.000Z'
    expect(await scene.startsOf(owner, { from: at, to: '2026-03-20T08:30:00.001Z' })).toHaveLength(1)
    expect(await scene.startsOf(owner, { from: '2026-03-20T08:00:00.000Z', to: at })).toHaveLength(0)
    expect(await scene.startsOf(owner, { from: '2026-03-20T08:30:00.001Z', to: march.to })).toHaveLength(0)
  })

  test('keeps the local time of a recurring event when clocks change', async () => {
    const owner = newEndUser()
    await scene.client.createEvent({
      ...owner,
      event: event({ starts_at: '2026-03-22T09:00', recurrence: 'FREQ=WEEKLY' }),
    })
    expect(await scene.startsOf(owner, { from: march.from, to: '2026-04-10T00:00:00.000Z' })).toEqual([
      '2026-03-22T08:00',
      '2026-03-29T07:00',
      '2026-04-05T07:00',
    ])
    const october = { from: '2026-10-18T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
    expect(await scene.startsOf(owner, october)).toEqual(['2026-10-18T07:00', '2026-10-25T08:00', '2026-11-01T08:00'])
  })

  test('moves an event at a skipped local time to the hour after, and takes the first of a local time that occurs twice', async () => {
    const owner = newEndUser()
    const daily = { starts_at: '2026-03-28T02:30', recurrence: 'FREQ=DAILY;COUNT=3' }
    const { id } = await scene.client.createEvent({ ...owner, event: event(daily) })
    expect(await scene.startsOf(owner)).toEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'])
    // The occurrence is identified by the time at which it takes place.
    await scene.client.cancelEvent({ ...owner, event_id: id, occurrence_starts_at: '2026-03-29T01:30:00.000Z' })
    expect(await scene.startsOf(owner)).toEqual(['2026-03-28T01:30', '2026-03-30T00:30'])
    const plan = await scene.client.planEvent({ ...owner, event: event({ starts_at: '2026-10-25T02:30' }) })
    expect(plan).toMatchObject({ starts_at: '2026-10-25T00:30:00.000Z', ends_at: '2026-10-25T01:30:00.000Z' })
  })

  test('lists at most 500 occurrences, and ranges of up to 366 days', async () => {
    const owner = newEndUser()
    for (const starts_at of ['2026-03-01T09:00', '2026-03-01T10:00']) {
      await scene.client.createEvent({ ...owner, event: event({ starts_at, recurrence: 'FREQ=DAILY' }) })
    }
    const year = { from: '2026-03-01T00:00:00.000Z', to: '2027-03-02T00:00:00.000Z' }
    const occurrences = await scene.startsOf(owner, year)
    expect(occurrences).toHaveLength(500)
    expect(occurrences).toEqual([...occurrences].sort())
    for (const range of [
      { ...year, to: '2027-03-02T00:00:00.001Z' },
      { from: year.to, to: year.from },
    ]) {
      expect(await refusal(scene.client.listOccurrences({ ...owner, ...range }))).toMatchObject({
        code: 'invalid_request',
      })
    }
  })

  describe('plans', () => {
    test('report events at the same time, but not events that only touch', async () => {
      const owner = newEndUser()
      await scene.client.createEvent({ ...owner, event: event({ title: 'Before', starts_at: '2026-03-20T08:30' }) })
      await scene.client.createEvent({ ...owner, event: event({ title: 'After', starts_at: '2026-03-20T10:30' }) })
      expect((await scene.client.planEvent({ ...owner, event: event() })).conflicts).toEqual([])
      await scene.client.createEvent({
        ...owner,
        event: event({ title: 'Travel', starts_at: '2026-03-10T09:00', duration_minutes: 20_160 }),
      })
      expect((await scene.client.planEvent({ ...owner, event: event() })).conflicts).toMatchObject([
        { title: 'Travel' },
      ])
      expect(await scene.startsOf(owner)).toHaveLength(3)
    })

    test('of a recurring event compare each occurrence, in all time zones', async () => {
      const owner = newEndUser()
      // New York changes its clocks earlier than Berlin, so the events overlap in the weeks between only.
      const weekly = { time_zone: 'America/New_York', starts_at: '2026-03-02T13:00', recurrence: 'FREQ=WEEKLY;COUNT=8' }
      await scene.client.createEvent({ ...owner, event: event(weekly) })
      const { conflicts } = await scene.client.planEvent({
        ...owner,
        event: event({ starts_at: '2026-03-02T18:00', recurrence: 'FREQ=WEEKLY;COUNT=8' }),
      })
      expect(conflicts.map(({ starts_at }) => starts_at.slice(0, 10))).toEqual([
        '2026-03-09',
        '2026-03-16',
        '2026-03-23',
      ])
    })

    test('of a move do not report the moved event', async () => {
      const owner = newEndUser()
      const { id } = await scene.client.createEvent({ ...owner, event: event() })
      const later = { ...owner, event_id: id, starts_at: '2026-03-20T10:00' }
      expect((await scene.client.planMove(later)).conflicts).toEqual([])
      const other = await scene.client.createEvent({
        ...owner,
        event: event({ title: 'Lunch', starts_at: '2026-03-20T10:45' }),
      })
      expect(await scene.client.planMove(later)).toMatchObject({
        title: 'Dentist',
        starts_at: '2026-03-20T09:00:00.000Z',
        recurring: false,
        conflicts: [{ event_id: other.id }],
      })
      expect(await scene.startsOf(owner)).toEqual(['2026-03-20T08:30', '2026-03-20T09:45'])
    })
  })

  test('holds 1,000 events, 50 of them recurring, also when many are created at once', async () => {
    const owner = newEndUser()
    const recurring = event({ recurrence: 'FREQ=YEARLY' })
    const made = await Promise.all(
      Array.from({ length: 53 }, () => refusal(scene.client.createEvent({ ...owner, event: recurring }))),
    )
    const refused = made.filter((error) => error !== undefined)
    expect(refused).toHaveLength(3)
    for (const error of refused) expect(error).toMatchObject({ code: 'invalid_request' })
    await scene.installation.database.inWorkspace(owner.workspace_id, (transaction) =>
      transaction.query(
        `insert into events (workspace_id, end_user_id, title, starts_at, duration_minutes, time_zone)
         select $1, $2, 'Filler', '2026-01-01', 1, 'UTC' from generate_series(1, 949)`,
        [owner.workspace_id, owner.end_user_id],
      ),
    )
    await scene.client.createEvent({ ...owner, event: event() })
    expect(await refusal(scene.client.createEvent({ ...owner, event: event() }))).toMatchObject({
      code: 'invalid_request',
    })
  })

  test.each([
    { starts_at: '2020-01-01T09:00' },
    { starts_at: '2040-01-01T09:00' },
    { recurrence: 'FREQ=HOURLY' },
    { title: 'two\r\nlines' },
    { time_zone: 'Europe/Nowhere' },
    { duration_minutes: 0 },
  ])('refuses an event with %j', async (fields) => {
    const owner = newEndUser()
    for (const attempt of [scene.client.createEvent, scene.client.planEvent]) {
      expect(await refusal(attempt({ ...owner, event: event(fields) }))).toMatchObject({ code: 'invalid_request' })
    }
  })
})
