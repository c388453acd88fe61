import { backoffMs, jitteredMs } from '../src/index.js'

const nearlyOne = () => 1 - Number.EPSILON

test('delays double after each failure and stay at the maximum', () => {
  const backoff = { firstMs: 50, maxMs: 300 }
  const longest = [1, 2, 3, 4, 5, 1_000].map((failures) => Math.round(backoffMs(backoff, failures, nearlyOne)))
  expect(longest).toEqual([50, 100, 200, 300, 300, 300])
})

test('a delay is between half and the whole of its length', () => {
  expect(jitteredMs(100, () => 0)).toBe(50)
  expect(jitteredMs(100, () => 0.5)).toBe(75)
  expect(jitteredMs(100, nearlyOne)).toBeCloseTo(100)
  const delays = Array.from({ length: 1_000 }, () => backoffMs({ firstMs: 100, maxMs: 100 }, 1))
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(50)
  expect(Math.max(...delays)).toBeLessThanOrEqual(100)
  expect(new Set(delays).size).toBeGreaterThan(900)
})
