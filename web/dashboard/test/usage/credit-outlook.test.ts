import { creditOutlookOf } from '../../src/usage/credit-outlook.js'
import { daysOf } from '../../src/usage/usage-range.js'

const now = Date.parse('2026-03-02T23:30:00Z')
const days = daysOf(30, now)
const used = (key: string, credit_used: string) => ({ key, credit_used, operations: 1 })
const outlookOf = (balance: string, reserved: string, ...usage: ReturnType<typeof used>[]) =>
  creditOutlookOf({ balance, reserved }, usage, days)

test('a range ends with today, in UTC', () => {
  expect([days.length, days[0], days.at(-2), days.at(-1)]).toEqual([30, '2026-02-01', '2026-03-01', '2026-03-02'])
})

test('credit is low when it lasts less than a week at the pace of the last week', () => {
  expect(outlookOf('10', '0', used('2026-03-01', '9.9'))).toEqual({ state: 'enough' })
  expect(outlookOf('10', '0', used('2026-03-01', '5'), used('2026-03-02', '15'))).toEqual({ state: 'low', days: 3 })
  expect(outlookOf('10', '0', used('2026-03-02', '700'))).toEqual({ state: 'low', days: 0 })
})

test('reserved credit does not count as available', () => {
  expect(outlookOf('10', '5', used('2026-03-01', '7'))).toEqual({ state: 'low', days: 5 })
  expect(outlookOf('0.10', '0.1')).toEqual({ state: 'exhausted' })
  expect(outlookOf('0', '0')).toEqual({ state: 'exhausted' })
})

test('a workspace that used nothing in the last week has enough', () => {
  expect(outlookOf('0.01', '0')).toEqual({ state: 'enough' })
  expect(outlookOf('0.01', '0', used('2026-02-20', '900'))).toEqual({ state: 'enough' })
})
