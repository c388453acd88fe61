import { createPatience } from '../src/patience.js'

test('a burst may take a fifth of a second to be worked off, whoever is refused in it', () => {
  const { refused } = createPatience()
  expect(refused(0, 10)).toBe(210)
  expect(refused(20, 100)).toBe(210)
  expect(refused(150, 160)).toBe(210)
})

test('under a load that lasts each has a moment', () => {
  const { refused } = createPatience()
  for (let nowMs = 0; nowMs < 10_000; nowMs += 50) {
    const endsAtMs = refused(nowMs, nowMs)
    if (nowMs > 200) expect(endsAtMs - nowMs).toBe(20)
  }
})

test('after a tenth of a second in which nobody was refused a burst is one again', () => {
  const { refused } = createPatience()
  for (let nowMs = 0; nowMs <= 5_000; nowMs += 50) refused(nowMs, nowMs)
  expect(refused(5_101, 5_101)).toBe(5_301)
})
