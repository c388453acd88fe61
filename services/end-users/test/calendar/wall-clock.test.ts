import { Temporal } from '@js-temporal/polyfill'
import fc from 'fast-check'
import { fromWall, parseWall, printWall, toWall } from '../../src/calendar/wall-clock.js'

const instantOf = (wall: string, zone: string) => new Date(fromWall(parseWall(wall), zone)).toISOString()

test.each([
  // Clocks are put forward: 02:30 is skipped, and is moved later by an hour.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  // A day that was skipped.
  ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  // Clocks are put back: 02:30 occurs twice, and means the first.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ['2026-07-01T09:30', 'UTC', '2026-07-01T09:30:00.000Z'],
])('%s in %s is %s', (wall, zone, instant) => {
  expect(instantOf(wall, zone)).toBe(instant)
})

test('a local time is the same instant as with Temporal, in zones of all kinds', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Pacific/Apia',
  ]
  // Most instants are near a change of clocks, where the two could differ.
  const changes = [
    '2026-03-29T02:30',
    '2026-10-25T02:30',
    '2026-03-08T02:30',
    '2026-11-01T01:30',
    '2026-10-04T02:15',
    '2026-04-05T01:45',
  ]
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -180, max: 180 }))
    .map(([change, minutes]) => printWall(parseWall(change) + minutes * 60_000))
  const anywhere = fc
    .integer({ min: Date.UTC(1990, 0) / 60_000, max: Date.UTC(2037, 0) / 60_000 })
    .map((minutes) => printWall(minutes * 60_000))
  fc.assert(
    fc.property(fc.oneof(nearChange, nearChange, anywhere), fc.constantFrom(...zones), (wall, zone) => {
      const expected = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' })
      const instantMs = fromWall(parseWall(wall), zone)
      expect(instantMs).toBe(expected.epochMilliseconds)
      expect(printWall(toWall(instantMs, zone))).toBe(expected.toPlainDateTime().toString({ smallestUnit: 'minute' }))
    }),
    { numRuns: 150 },
  )
})
