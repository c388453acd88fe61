import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { weakenDatabases } from '@parlance/testing'
import { describeWithCalendar, event, march, newEndUser, refusal } from './calendar-scene.js'
import { feedItems } from './feed-items.js'

describeWithCalendar('a calendar of one end user', (scene) => {
  const weakened = weakenDatabases()

  test.each([
    ['', (database: Database) => database],
    [' by row-level security alone', weakened.byRowsAlone],
    [' by the filters of the queries alone', weakened.byFiltersAlone],
  ])('is not visible to other workspaces and other end users%s', async (_how, wrap) => {
    const wrapped = await scene.installation.open(wrap)
    const mine = newEndUser()
    const strangers = [
      { ...mine, workspace_id: randomUUID() },
      // End users of one workspace are separated by the queries.
      { ...mine, end_user_id: randomUUID() },
    ]
    const { id: event_id } = await wrapped.createEvent({ ...mine, event: event() })
    const before = await wrapped.getEvent({ ...mine, event_id })
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
    expect(await wrapped.getEvent({ ...mine, event_id })).toEqual(before)
  })

  test('is tested by row-level security alone with rewritten queries', () =>
    expect(weakened.rewritten()).toBeGreaterThan(10))

  test('cannot be changed by another workspace', async () => {
    const [here, there] = [newEndUser(), newEndUser()]
    await scene.client.createEvent({ ...there, event: event() })
    expect(await scene.installation.database.query('select * from events')).toEqual([])
    const intrusion = scene.installation.database.inWorkspace(here.workspace_id, (transaction) =>
      transaction.query(
        `insert into calendars (workspace_id, end_user_id, generation) values ($1, $2, '\\x0000000000000000')`,
        [there.workspace_id, here.end_user_id],
      ),
    )
    await expect(intrusion).rejects.toThrow('row-level security')
  })
})
