import fc from 'fast-check'
import type { StoredEvent } from '../../src/calendar/calendar-repository.js'
import { createEventOccurrences, listOccurrences } from '../../src/calendar/event-occurrences.js'
import { conflictsOf, overlaps } from '../../src/calendar/plan-event.js'
import { fromWall, parseWall } from '../../src/calendar/wall-clock.js'

const dayMs = 86_400_000
const startMs = Date.parse('2026-03-27T00:00:00Z')

const time = {
  /** Quarters of an hour around the night in which clocks are put forward. */
  startsAt: fc.integer({ min: -100, max: 500 }).map((n) => parseWall('2026-03-27T00:00') + n * 900_000),
  durationMinutes: fc.constantFrom(15, 30, 60, 24 * 60),
  timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
}

const arbitraryEvent = fc
  .record({
    ...time,
    count: fc.option(fc.integer({ min: 1, max: 6 })),
    cancelled: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
    moved: fc.option(fc.record({ index: fc.integer({ min: 0, max: 5 }), instead: fc.record(time) })),
  })
  .map((fields) => {
    const { startsAt, durationMinutes, timeZone, count } = fields
    const ruled = Array.from({ length: count ?? 1 }, (_, index) => startsAt + index * dayMs)
    const cancelled = new Set(count === null ? [] : fields.cancelled.map((index) => startsAt + index * dayMs))
    const moved = count === null || fields.moved === null ? null : fields.moved
    const movedAt = moved === null ? null : startsAt + moved.index * dayMs
    if (movedAt !== null) cancelled.delete(movedAt)
    const all = ruled
      .filter((wall) => !cancelled.has(wall))
      .map((wall) => (wall === movedAt ? moved!.instead : { startsAt: wall, durationMinutes, timeZone }))
      // After a move, an exception may belong to a time that the rule does not have. It takes place anyway.
      .concat(movedAt !== null && !ruled.includes(movedAt) ? [moved!.instead] : [])
      .map((at) => ({ startMs: fromWall(at.startsAt, at.timeZone), minutes: at.durationMinutes }))
    const exceptions = [
      ...[...cancelled].map((ruledAt) => ({ ruledAt, instead: null })),
      ...(movedAt === null ? [] : [{ ruledAt: movedAt, instead: moved!.instead }]),
    ]
    const recurrence = count === null ? null : `FREQ=DAILY;COUNT=${count}`
    return { stored: { title: 'x', startsAt, durationMinutes, timeZone, recurrence, exceptions }, all }
  })

const events = fc.array(arbitraryEvent, { minLength: 1, maxLength: 5 }).map((list) =>
  list.map(({ stored, all }, index) => ({
    stored: { ...stored, id: `e${index}`, createdAtMs: 0, changedAtMs: 0 } satisfies StoredEvent,
    all,
  })),
)

test('a list contains the occurrences in its range in order, without cancelled ones and with moved ones at their new times', async () => {
  const range = fc.tuple(fc.integer({ min: -48, max: 200 }), fc.integer({ min: 1, max: 2_500 }))
  await fc.assert(
    fc.asyncProperty(events, range, async (list, [fromHours, hours]) => {
      const fromMs = startMs + fromHours * 3_600_000
      const toMs = fromMs + hours * 3_600_000
      const found = await listOccurrences(
        list.map(({ stored }) => stored),
        fromMs,
        toMs,
      )
      expect(found.map((occurrence) => occurrence.startMs)).toEqual(
        list
          .flatMap(({ all }) => all.map((at) => at.startMs))
          .filter((atMs) => fromMs <= atMs && atMs < toMs)
          .sort((a, b) => a - b),
      )
    }),
    { numRuns: 60 },
  )
})

test('two occurrences conflict when they overlap, in either order', () => {
  fc.assert(
    fc.property(arbitraryEvent, arbitraryEvent, (one, other) => {
      const occurrences = ({ stored }: typeof one, id: string) =>
        createEventOccurrences({ ...stored, id })(startMs - 60 * dayMs, startMs + 60 * dayMs)
      const [mine, theirs] = [occurrences(one, 'a'), occurrences(other, 'b')]
      const meeting = conflictsOf(mine, theirs)
      expect(meeting.length > 0).toBe(conflictsOf(theirs, mine).length > 0)
      expect(meeting).toEqual(theirs.filter((their) => mine.some((my) => overlaps(my, their))).slice(0, 20))
    }),
    { numRuns: 100 },
  )
})

test('an occurrence may begin when another ends', () => {
  const at = (fromMs: number, toMs: number) => ({ startMs: fromMs, endMs: toMs })
  expect(overlaps(at(0, 10), at(10, 20))).toBe(false)
  expect(overlaps(at(10, 20), at(0, 10))).toBe(false)
  expect(overlaps(at(0, 11), at(10, 20))).toBe(true)
  expect(overlaps(at(0, 30), at(10, 20))).toBe(true)
})
