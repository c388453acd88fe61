import { describeWithCalendar, event, newEndUser, refusal } from './calendar-scene.js'
import { feedItems } from './feed-items.js'

describeWithCalendar('the feed of a calendar', (scene) => {
  test('contains every occurrence as an event in UTC, in lines that clients can read', async () => {
    const owner = newEndUser()
    const title = `Zahnarzt; "Möbel", \\n 😀 ${'日本'.repeat(60)}`
    const { id: event_id } = await scene.client.createEvent({
      ...owner,
      event: event({ title, starts_at: '2026-03-22T09:00', recurrence: 'FREQ=WEEKLY;COUNT=3' }),
    })
    const before = await scene.feedOf(owner)
    const start = { ...owner, event_id, occurrence_starts_at: '2026-04-05T07:00:00.000Z' }
    await scene.client.moveEvent({ ...start, starts_at: '2026-04-06T10:00' })
    const { icalendar, signature } = await scene.feedOf(owner)
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

  test('does not change while the calendar does not', async () => {
    const owner = newEndUser()
    await scene.client.createEvent({ ...owner, event: event() })
    const first = await scene.feedOf(owner)
    scene.installation.clock.nowMs += 3_600_000
    expect(await scene.feedOf(owner)).toEqual(first)
  })

  test('ends with the deletion of its calendar, which removes everything', async () => {
    const owner = newEndUser()
    const { id: event_id } = await scene.client.createEvent({ ...owner, event: event() })
    const { signature } = await scene.feedOf(owner)
    expect(await scene.client.deleteCalendar(owner)).toEqual({ deleted: 1 })
    expect(await scene.client.deleteCalendar(owner)).toEqual({ deleted: 0 })
    expect(await refusal(scene.client.readFeed({ signature }))).toMatchObject({ code: 'not_found' })
    expect(await refusal(scene.client.getEvent({ ...owner, event_id }))).toMatchObject({ code: 'not_found' })
    for (const table of ['events', 'calendars']) {
      const rows = await scene.installation.database.inWorkspace(owner.workspace_id, (transaction) =>
        transaction.query(`select * from ${table}`),
      )
      expect(rows).toEqual([])
    }
    await scene.client.createEvent({ ...owner, event: event() })
    expect((await scene.feedOf(owner)).signature).not.toBe(signature)
    expect(await refusal(scene.client.readFeed({ signature }))).toMatchObject({ code: 'not_found' })
  })
})
