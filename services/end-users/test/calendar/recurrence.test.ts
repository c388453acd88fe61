import fc from 'fast-check'
import { checkedRecurrence, createWallTimes, recurrenceFrom } from '../../src/calendar/recurrence.js'
import { parseWall, printWall } from '../../src/calendar/wall-clock.js'

const dayMs = 86_400_000

const times = (recurrence: string, starts: string, from: string, to: string, timeZone = 'UTC') => {
  const startsAt = parseWall(starts)
  const rule = checkedRecurrence({ startsAt, timeZone, recurrence })
  return createWallTimes({ startsAt, timeZone, recurrence: rule })(parseWall(from), parseWall(to)).map(printWall)
}

test.each([
  ['FREQ=DAILY;COUNT=3', ['2026-01-05T09:00', '2026-01-06T09:00', '2026-01-07T09:00']],
  ['rrule:freq=weekly;byday=mo,we;count=3;', ['2026-01-05T09:00', '2026-01-07T09:00', '2026-01-12T09:00']],
  ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20260202', ['2026-01-05T09:00', '2026-01-19T09:00', '2026-02-02T09:00']],
  ['FREQ=WEEKLY;UNTIL=20260112T085959', ['2026-01-05T09:00']],
  ['FREQ=MONTHLY;BYDAY=1MO;COUNT=2', ['2026-01-05T09:00', '2026-02-02T09:00']],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=3;COUNT=2', ['2026-01-05T09:00', '2026-02-04T09:00']],
  ['FREQ=YEARLY;COUNT=2', ['2026-01-05T09:00', '2027-01-05T09:00']],
])('%s gives the occurrences of RFC 5545', (recurrence, expected) => {
  expect(times(recurrence, '2026-01-05T09:00', '2026-01-01T00:00', '2028-01-01T00:00')).toEqual(expected)
})

test('months without the day are skipped', () => {
  expect(times('FREQ=MONTHLY;COUNT=3', '2026-01-31T09:00', '2026-01-01T00:00', '2027-01-01T00:00')).toEqual([
    ...['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00'],
  ])
})

test('an UNTIL in UTC ends the rule at that time in the time zone', () => {
  const until = (utc: string) =>
    times(`FREQ=DAILY;UNTIL=${utc}`, '2026-03-28T09:00', '2026-03-01T00:00', '2026-05-01T00:00', 'Europe/Berlin')
  // 09:00 in Berlin is 07:00Z from the 29th on.
  expect(until('20260330T070000Z')).toHaveLength(3)
  expect(until('20260330T065959Z')).toHaveLength(2)
})

test('an occurrence at a skipped local time takes place', () => {
  expect(
    times('FREQ=DAILY;COUNT=3', '2026-03-28T02:30', '2026-03-01T00:00', '2026-05-01T00:00', 'Europe/Berlin'),
  ).toEqual([...['2026-03-28T02:30', '2026-03-29T02:30', '2026-03-30T02:30']])
})

test.each([
  ['FREQ=WEEKLY;BYDAY=MO', 'FREQ=WEEKLY'],
  ['FREQ=WEEKLY;BYDAY=MO,TU', 'FREQ=WEEKLY;BYDAY=MO,TU'],
  ['FREQ=MONTHLY;BYMONTHDAY=5', 'FREQ=MONTHLY'],
  ['FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=1', 'FREQ=YEARLY'],
  ['FREQ=YEARLY;BYMONTHDAY=5', 'FREQ=YEARLY;BYMONTHDAY=5'],
  ['FREQ=WEEKLY;BYDAY=MO;BYMONTH=1', 'FREQ=WEEKLY;BYDAY=MO;BYMONTH=1'],
])('%s is stored as %s, so that it can be moved to another day if nothing is lost', (recurrence, kept) => {
  expect(checkedRecurrence({ startsAt: parseWall('2026-01-05T09:00'), timeZone: 'UTC', recurrence })).toBe(kept)
})

test.each([
  ['', 'unknown part'],
  ['FREQ=HOURLY', 'FREQ is not valid'],
  ['FREQ=DAILY;BYHOUR=1,2,3', 'unknown part'],
  ['FREQ=DAILY;constructor=1', 'unknown part'],
  ['FREQ=DAILY;RSCALE=CHINESE', 'unknown part'],
  ['INTERVAL=2', 'must have FREQ'],
  ['FREQ=DAILY;FREQ=DAILY', 'twice'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL is not valid'],
  ['FREQ=DAILY;COUNT=1001', 'COUNT is not valid'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'both COUNT and UNTIL'],
  ['FREQ=DAILY;UNTIL=20269901', 'UNTIL is not valid'],
  ['FREQ=DAILY;UNTIL=20200101', 'does not include the day'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'numbered BYDAY'],
  ['FREQ=WEEKLY;BYMONTHDAY=5', 'BYMONTHDAY with WEEKLY'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'without days'],
  ['FREQ=WEEKLY;BYDAY=TU', 'does not include the day'],
  ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31', 'does not include the day'],
  ['FREQ=DAILY\nEXDATE:20260101', 'FREQ is not valid'],
])('the rule %j is refused: %s', (recurrence, why) => {
  const check = () => checkedRecurrence({ startsAt: parseWall('2026-01-05T09:00'), timeZone: 'UTC', recurrence })
  expect(check).toThrow(expect.objectContaining({ code: 'invalid_request', detail: expect.stringContaining(why) }))
})

test('the rule of the rest of a series keeps counting', () => {
  const series = { startsAt: parseWall('2026-01-05T09:00'), timeZone: 'UTC' }
  const from = (recurrence: string) => recurrenceFrom({ ...series, recurrence }, parseWall('2026-01-09T09:00'))
  expect(from('FREQ=DAILY;COUNT=10')).toBe('FREQ=DAILY;COUNT=6')
  expect(from('FREQ=DAILY;UNTIL=20270101')).toBe('FREQ=DAILY;UNTIL=20270101')
})

const names = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const mondayOf = (wall: number) => Math.floor(wall / dayMs) - ((new Date(wall).getUTCDay() + 6) % 7)

test('a rule gives the same occurrences as a search day by day', () => {
  const rule = fc.record({
    frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY'),
    interval: fc.integer({ min: 1, max: 4 }),
    count: fc.option(fc.integer({ min: 1, max: 30 })),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    startDay: fc.integer({ min: 0, max: 400 }),
    from: fc.integer({ min: -100, max: 800 }),
    length: fc.integer({ min: 1, max: 200 }),
  })
  fc.assert(
    fc.property(rule, ({ frequency, interval, count, days, startDay, from, length }) => {
      const startsAt = parseWall('2025-01-01T09:30') + startDay * dayMs
      const start = new Date(startsAt)
      const own = frequency === 'WEEKLY' ? [...new Set([...days, start.getUTCDay()])] : []
      const recurrence = [
        `FREQ=${frequency};INTERVAL=${interval}`,
        ...(own.length > 0 ? [`BYDAY=${own.map((day) => names[day]).join(',')}`] : []),
        ...(count === null ? [] : [`COUNT=${count}`]),
      ].join(';')
      const found: number[] = []
      for (let wall = startsAt; found.length < (count ?? Infinity) && wall < startsAt + 1_300 * dayMs; wall += dayMs) {
        const date = new Date(wall)
        const months = (date.getUTCFullYear() - start.getUTCFullYear()) * 12 + date.getUTCMonth() - start.getUTCMonth()
        const isIn = {
          DAILY: ((wall - startsAt) / dayMs) % interval === 0,
          WEEKLY: own.includes(date.getUTCDay()) && ((mondayOf(wall) - mondayOf(startsAt)) / 7) % interval === 0,
          MONTHLY: date.getUTCDate() === start.getUTCDate() && months % interval === 0,
        }
        if (isIn[frequency as 'DAILY']) found.push(wall)
      }
      const [fromWall, toWall] = [startsAt + from * dayMs, startsAt + (from + length) * dayMs]
      const kept = checkedRecurrence({ startsAt, timeZone: 'UTC', recurrence })
      expect(createWallTimes({ startsAt, timeZone: 'UTC', recurrence: kept })(fromWall, toWall)).toEqual(
        found.filter((wall) => fromWall <= wall && wall < toWall),
      )
    }),
    { numRuns: 150 },
  )
})
