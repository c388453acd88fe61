import { dayAfter, localDay } from '../src/agents/editor/local-day.js'

test.each([
  ['2026-03-28', 1, '2026-03-29'],
  ['2026-03-29', 1, '2026-03-30'],
  ['2026-10-25', 7, '2026-11-01'],
  ['2027-12-31', 1, '2028-01-01'],
  ['2028-02-28', 1, '2028-02-29'],
])('%s and %i days are %s, also over a change of clocks', (day, days, expected) => {
  expect(dayAfter(day, days)).toBe(expected)
})

test('the day of a moment is that of the local time', () => {
  expect(localDay(new Date(2026, 2, 9, 0, 0))).toBe('2026-03-09')
  expect(localDay(new Date(2026, 11, 31, 23, 59))).toBe('2026-12-31')
})
