import { createPatience } from '../src/synthesis/patience.js'

test('a burst may take a second to be worked off, whoever is refused in it', () => {
  const { refused } = createPatience()
  expect(refused(0, 10)).toBe(1_010)
  expect(refused(200, 300)).toBe(1_010)
  expect(refused(900, 700)).toBe(1_010)
})

test('under a load that lasts each has a moment', () => {
  const { refused } = createPatience()
  for (let nowMs = 0; nowMs < 10_000; nowMs += 100) {
    const endsAtMs = refused(nowMs, nowMs)
    if (nowMs > 1_000) expect(endsAtMs - nowMs).toBe(40)
  }
})

test('after half a second of calm a burst is one again', () => {
  const { refused } = createPatience()
  for (let nowMs = 0; nowMs <= 5_000; nowMs += 100) refused(nowMs, nowMs)
  expect(refused(5_501, 5_501)).toBe(6_501)
})
