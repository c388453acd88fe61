import { createServiceTime } from '../src/service-time.js'

const timeOf = (...samples: number[]) => {
  const serviceTime = createServiceTime()
  for (const sample of samples) serviceTime.add(sample)
  return serviceTime.estimateMs()
}

test('nothing is expected of an engine that has not spoken yet', () => {
  expect(timeOf()).toBe(0)
})

test('of a few segments the shortest counts, since the first one of each process is slow', () => {
  expect(timeOf(300, 250, 20)).toBe(20)
})

test('of many the median counts, whichever order they came in', () => {
  expect(timeOf(30, 10, 9_000, 20, 0, 15, 25)).toBe(20)
})

test('only the last ones count', () => {
  const old = Array.from({ length: 40 }, () => 1_000)
  const recent = Array.from({ length: 32 }, () => 5)
  expect(timeOf(...old, ...recent)).toBe(5)
})
