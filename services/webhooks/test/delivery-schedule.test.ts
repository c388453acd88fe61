import fc from 'fast-check'
import { hasFailedTooLong, nextAttemptAt, retryDelaysMs } from '../src/deliveries/endpoint-health.js'

const anyTime = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const dayMs = 24 * 60 * 60 * 1000

test('a delivery that always fails is attempted seven times: at once, and 5 s, 5 m, 30 m, 2 h, 5 h and 10 h after each failure', () => {
  fc.assert(
    // The duration of the attempts does not matter.
    fc.property(anyTime, fc.array(fc.nat(60_000), { minLength: 7, maxLength: 7 }), (begin, durationsMs) => {
      const waitsMs: number[] = []
      let at: Date | undefined = begin
      for (let failures = 1; at !== undefined; failures++) {
        const failedAt: Date = new Date(at.getTime() + durationsMs[failures - 1]!)
        at = nextAttemptAt(failures, failedAt)
        if (at !== undefined) waitsMs.push(at.getTime() - failedAt.getTime())
      }
      expect(waitsMs).toEqual([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000])
    }),
  )
})

test('after any number of failures the next attempt is later, and there is none once the attempts are used up', () => {
  fc.assert(
    fc.property(anyTime, fc.integer({ min: 1, max: 1_000 }), (now, failures) => {
      const next = nextAttemptAt(failures, now)
      expect(next === undefined).toBe(failures > retryDelaysMs.length)
      if (next !== undefined) expect(next.getTime()).toBeGreaterThan(now.getTime())
    }),
  )
})

test('an endpoint has failed for too long after five days without a success, and not before', () => {
  fc.assert(
    fc.property(anyTime, fc.integer({ min: -5 * dayMs, max: 5 * dayMs }), (since, moreMs) => {
      const now = new Date(since.getTime() + 5 * dayMs + moreMs)
      expect(hasFailedTooLong(since, now)).toBe(moreMs >= 0)
    }),
  )
})
