import { createFramePace } from '../src/scene/frame-pace.js'

const run = (frameMs: readonly number[]) => {
  let reports = 0
  const pace = createFramePace(() => {
    reports += 1
  })
  let atMs = 0
  for (const tookMs of frameMs) {
    atMs += tookMs
    pace.frame(atMs)
  }
  return reports
}

const frames = (count: number, tookMs: number) => Array.from({ length: count }, () => tookMs)

test('a device that is always slow is reported once', () => {
  expect(run(frames(200, 70))).toBe(1)
})

test('a device that stutters sometimes is not reported', () => {
  expect(run(frames(100, 16).flatMap((tookMs, at) => [tookMs, at % 5 === 0 ? 200 : tookMs]))).toBe(0)
  expect(run(frames(5, 500).concat(frames(100, 16)))).toBe(0)
})
