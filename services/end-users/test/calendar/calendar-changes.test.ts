import { describeWithCalendar, event, newEndUser, refusal } from './calendar-scene.js'

describeWithCalendar('changes of a calendar', (scene) => {
  const weekly = { starts_at: '2026-03-03T09:00', recurrence: 'FREQ=WEEKLY;BYDAY=TU;COUNT=5' }

  test('one occurrence is moved, and then identified by its new time', async () => {
    const owner = newEndUser()
    const { id: event_id } = await scene.client.createEvent({ ...owner, event: event(weekly) })
    const move = (occurrence_starts_at: string, starts_at: string) =>
      scene.client.moveEvent({ ...owner, event_id, occurrence_starts_at, starts_at, duration_minutes: 30 })
    await move('2026-03-10T08:00:00.000Z', '2026-03-11T15:00')
    await move('2026-03-11T14:00:00.000Z', '2026-03-12T15:00')
    expect(await scene.startsOf(owner)).toEqual([
      '2026-03-03T08:00',
      '2026-03-12T14:00',
      '2026-03-17T08:00',
      '2026-03-24T08:00',
      '2026-03-31T07:00',
    ])
    await scene.client.cancelEvent({ ...owner, event_id, occurrence_starts_at: '2026-03-12T14:00:00.000Z' })
    expect(await scene.startsOf(owner)).toHaveLength(4)
    expect(await refusal(move('2026-03-10T08:00:00.000Z', '2026-03-11T15:00'))).toMatchObject({ code: 'not_found' })
  })

  test('a recurring event is moved: its next occurrence moves, later ones follow, earlier ones are removed, and exceptions stay', async () => {
    const owner = newEndUser()
    const { id: event_id } = await scene.client.createEvent({ ...owner, event: event(weekly) })
    await scene.client.cancelEvent({ ...owner, event_id, occurrence_starts_at: '2026-03-24T08:00:00.000Z' })
    scene.installation.clock.nowMs = Date.parse('2026-03-11T12:00:00Z')
    const moved = await scene.client.moveEvent({ ...owner, event_id, starts_at: '2026-03-18T16:00' })
    expect(moved).toMatchObject({ starts_at: '2026-03-18T16:00', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect(await scene.startsOf(owner)).toEqual(['2026-03-18T15:00', '2026-04-01T14:00'])
  })

  test('a recurring event is moved by its next occurrence that follows the rule: earlier exceptions stay', async () => {
    const owner = newEndUser()
    const { id: event_id } = await scene.client.createEvent({ ...owner, event: event(weekly) })
    await scene.client.cancelEvent({ ...owner, event_id, occurrence_starts_at: '2026-03-03T08:00:00.000Z' })
    const second = { ...owner, event_id, occurrence_starts_at: '2026-03-10T08:00:00.000Z' }
    await scene.client.moveEvent({ ...second, starts_at: '2026-03-12T18:00' })
    const moved = await scene.client.moveEvent({ ...owner, event_id, starts_at: '2026-03-18T16:00' })
    expect(moved).toMatchObject({ starts_at: '2026-03-18T16:00', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect(await scene.startsOf(owner)).toEqual([
      '2026-03-12T17:00',
      '2026-03-18T15:00',
      '2026-03-25T15:00',
      '2026-04-01T14:00',
    ])
  })

  test('an event whose rule names days is moved only to such a day', async () => {
    const owner = newEndUser()
    const twiceAWeek = { starts_at: '2026-03-03T09:00', recurrence: 'FREQ=WEEKLY;BYDAY=TU,TH' }
    const { id: event_id } = await scene.client.createEvent({ ...owner, event: event(twiceAWeek) })
    const move = (starts_at: string) => scene.client.moveEvent({ ...owner, event_id, starts_at })
    expect(await refusal(move('2026-03-04T09:00'))).toMatchObject({ code: 'invalid_request' })
    expect(await move('2026-03-05T10:00')).toMatchObject({ starts_at: '2026-03-05T10:00' })
  })

  test('no move is lost when several are made at once', async () => {
    const owner = newEndUser()
    const { id: event_id } = await scene.client.createEvent({
      ...owner,
      event: event({ ...weekly, recurrence: 'FREQ=WEEKLY;COUNT=4' }),
    })
    const days = ['03', '10', '17', '24']
    await Promise.all(
      days.map((day) =>
        scene.client.moveEvent({
          ...owner,
          event_id,
          starts_at: `2026-03-${day}T12:00`,
          occurrence_starts_at: `2026-03-${day}T08:00:00.000Z`,
        }),
      ),
    )
    expect(await scene.startsOf(owner)).toEqual(days.map((day) => `2026-03-${day}T11:00`))
  })

  test('a cancelled event is no longer listed', async () => {
    const owner = newEndUser()
    const { id: event_id } = await scene.client.createEvent({ ...owner, event: event() })
    const other = { ...owner, event_id, occurrence_starts_at: '2026-03-20T08:31:00.000Z' }
    expect(await refusal(scene.client.cancelEvent(other))).toMatchObject({ code: 'not_found' })
    await scene.client.cancelEvent({ ...owner, event_id })
    expect(await scene.startsOf(owner)).toEqual([])
    for (const attempt of [
      () => scene.client.cancelEvent({ ...owner, event_id }),
      () => scene.client.getEvent({ ...owner, event_id }),
      () => scene.client.moveEvent({ ...owner, event_id, starts_at: '2026-03-21T09:00' }),
      () => scene.client.planMove({ ...owner, event_id, starts_at: '2026-03-21T09:00' }),
    ]) {
      expect(await refusal(attempt())).toMatchObject({ code: 'not_found', detail: 'There is no such event.' })
    }
  })
})
