import { createPatience, type Patience } from '../src/patience.js'

/** A request that comes, is refused at once, and gives up. Answers until when it might have looked. */
const turnedAway = (patience: Patience, nowMs: number): number => {
  const search = patience.comes(nowMs)
  const endsAtMs = search.refused(nowMs)
  search.ends()
  return endsAtMs
}

/** So many that come at the same time and go on looking until they leave. Answers until when each may. */
const crowd = (patience: Patience, size: number, nowMs: number) => {
  const searches = Array.from({ length: size }, () => patience.comes(nowMs))
  const endsAtMs = searches.map((search) => search.refused(nowMs))
  const leave = () => {
    for (const search of searches) search.ends()
  }
  return { endsAtMs, leave }
}

/** Requests that find room at once, ten milliseconds apart. */
const finding = (patience: Patience, count: number, fromMs: number): number => {
  for (let i = 0; i < count; i++) patience.comes(fromMs + i * 10).found(fromMs + i * 10)
  return fromMs + (count - 1) * 10
}

test('a burst may take a fifth of a second to be worked off, whoever is refused in it', () => {
  const patience = createPatience()
  expect(patience.comes(0).refused(10)).toBe(210)
  expect(patience.comes(20).refused(100)).toBe(210)
  expect(patience.comes(150).refused(160)).toBe(210)
})

test('under a load that lasts each has a moment', () => {
  const patience = createPatience()
  for (let nowMs = 0; nowMs < 10_000; nowMs += 50) {
    const endsAtMs = turnedAway(patience, nowMs)
    if (nowMs > 200) expect(endsAtMs - nowMs).toBe(20)
  }
})

test('after a tenth of a second in which nobody was refused a burst is one again', () => {
  const patience = createPatience()
  for (let nowMs = 0; nowMs <= 5_000; nowMs += 50) turnedAway(patience, nowMs)
  expect(turnedAway(patience, 5_101)).toBe(5_301)
})

test('when more are looking than a handful it is no burst, for those who look already either', () => {
  const patience = createPatience()
  const early = patience.comes(1_000)
  expect(early.refused(1_000)).toBe(1_200)
  expect(crowd(patience, 8, 1_010).endsAtMs).toEqual([...Array(7).fill(1_200), 1_030])
  expect(early.refused(1_040)).toBe(1_020)
})

test('where many find room as many may look', () => {
  const patience = createPatience()
  const nowMs = finding(patience, 200, 1_000)
  expect(new Set(crowd(patience, 10, nowMs).endsAtMs)).toEqual(new Set([nowMs + 200]))
  expect(crowd(patience, 5, nowMs).endsAtMs.at(-1)).toBe(nowMs + 20)
})

test('how many found room long ago says nothing', () => {
  const patience = createPatience()
  const nowMs = finding(patience, 200, 1_000) + 500
  expect(crowd(patience, 9, nowMs).endsAtMs.at(-1)).toBe(nowMs + 20)
})

test('who found room or went away looks no longer, and is forgotten once', () => {
  const patience = createPatience()
  const { leave } = crowd(patience, 7, 0)
  const found = patience.comes(0)
  found.refused(0)
  found.found(10)
  found.ends()
  leave()
  leave()
  expect(crowd(patience, 8, 20).endsAtMs).toEqual(Array(8).fill(200))
  expect(patience.comes(20).refused(20)).toBe(40)
})
