import { createPlaySchedule } from '../../../src/conversations/listening/play-schedule.js'

const pieceSeconds = 0.1

test('pieces play one after the other, the first 200 ms after its arrival', () => {
  const schedule = createPlaySchedule()
  const times = [10, 10.1, 10.25, 10.28].map((now) => schedule(now, pieceSeconds))
  expect(times.map(({ atSeconds }) => atSeconds.toFixed(3))).toEqual(['10.200', '10.300', '10.400', '10.500'])
  expect(times.every(({ skippedSeconds }) => skippedSeconds === 0)).toBe(true)
})

test('after a gap without audio, audio is buffered again', () => {
  const schedule = createPlaySchedule()
  schedule(0, pieceSeconds)
  expect(schedule(5, pieceSeconds)).toEqual({ atSeconds: 5.2, skippedSeconds: 0 })
})

test('audio that would play more than a second after its arrival is skipped', () => {
  const schedule = createPlaySchedule()
  // A slow connection delivers three seconds at once.
  const burst = Array.from({ length: 30 }, () => schedule(7, pieceSeconds))
  const skipped = burst.filter(({ skippedSeconds }) => skippedSeconds > 0)
  expect(skipped.length).toBeGreaterThan(1)
  for (const { atSeconds, skippedSeconds } of skipped) {
    expect(atSeconds).toBe(7.2)
    expect(skippedSeconds).toBeGreaterThan(1)
    expect(skippedSeconds).toBeLessThan(1.2)
  }
  expect(Math.max(...burst.map(({ atSeconds }) => atSeconds))).toBeLessThan(8.2)
})
