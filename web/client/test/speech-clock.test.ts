import { createSpeechClock } from '../src/speech-clock.js'

/** The clock of the service's audio is this far ahead of the page's. */
const audioClockMs = 7_000

/**
 * A service that sends speech, and a browser that plays it `playedAfterMs` later, in packets of 20 ms. `speech` has the
 * times at which the service sends it.
 */
const conversation = (speech: readonly (readonly [fromMs: number, toMs: number])[], playedAfterMs = 100) => {
  const clock = createSpeechClock(100)
  let nowMs = 0
  let last: { streamMs: number; atMs: number } | undefined
  const update = () => {
    const sentMs = nowMs - playedAfterMs
    const packetMs = Math.floor(sentMs / 20) * 20
    // 100 ms of each silence are sent.
    const plays = speech.some(([fromMs, toMs]) => packetMs >= fromMs && packetMs < toMs + 100)
    if (plays) last = { streamMs: packetMs + audioClockMs, atMs: nowMs }
    clock.update(last, nowMs)
  }
  return {
    clock,
    /** Updates the clock every 20 ms until then. */
    until(ms: number) {
      for (; nowMs < ms; nowMs += 20) update()
    },
    /** Does not update the clock until then. */
    sleep(ms: number) {
      nowMs = ms
    },
    position: (latencyMs = 0) => clock.playing(nowMs, latencyMs)?.positionMs,
    playing: () => clock.playing(nowMs, 0)?.speechId,
    begin(id: string) {
      clock.announced(id)
      clock.sent(nowMs)
    },
  }
}

test('a speech begins with the first audio that is played, and its position follows the audio', () => {
  const { until, position, playing, begin, clock } = conversation([[200, 2_000]])
  until(200)
  begin('a')
  clock.align({ id: 'a', words: [{ text: 'Hi', start_ms: 0, end_ms: 90 }], visemes: [] })
  until(300)
  expect(playing()).toBeUndefined()
  until(1_300)
  expect(playing()).toBe('a')
  expect(position()).toBeGreaterThan(970)
  expect(position()).toBeLessThan(1_030)
  expect(position(150)! - position()!).toBeCloseTo(-150)
  expect(clock.playing(1_300, 0)?.words).toEqual([{ text: 'Hi', start_ms: 0, end_ms: 90 }])
  until(2_500)
  expect(playing()).toBeUndefined()
})

test('a speech that stalls continues where it stopped', () => {
  const { until, position, begin, playing } = conversation([
    [0, 500],
    [1_000, 3_000],
  ])
  begin('a')
  until(900)
  expect(playing()).toBeUndefined()
  until(1_600)
  expect(position()).toBeGreaterThan(970)
  expect(position()).toBeLessThan(1_030)
})

test('a speech that was paused within a word continues with the start of that word', () => {
  const { until, position, begin, clock } = conversation([
    [0, 520],
    [1_000, 3_000],
  ])
  begin('a')
  const words = [
    { text: 'Good', start_ms: 0, end_ms: 300 },
    { text: 'morning', start_ms: 300, end_ms: 700 },
  ]
  clock.align({ id: 'a', words, visemes: [] })
  until(500)
  clock.paused()
  until(1_600)
  expect(position()).toBeGreaterThan(770)
  expect(position()).toBeLessThan(830)
})

test('after a silence the next speech is played, from its beginning', () => {
  const { until, position, playing, begin } = conversation([
    [0, 500],
    [1_000, 2_000],
  ])
  begin('a')
  until(1_000)
  begin('b')
  until(1_400)
  expect(playing()).toBe('b')
  expect(position()).toBeGreaterThan(270)
  expect(position()).toBeLessThan(330)
})

test.each([60, 100, 400])(
  'without a silence the next speech begins where the service began it, %p ms behind',
  (delayMs) => {
    const { until, position, playing, begin, clock } = conversation([[0, 5_000]], delayMs)
    begin('a')
    until(2_000)
    clock.cut(2_000)
    begin('b')
    until(2_000 + delayMs - 40)
    expect(playing()).toBe('a')
    until(2_000 + delayMs + 500)
    expect(playing()).toBe('b')
    expect(position()).toBeGreaterThan(460)
    expect(position()).toBeLessThan(540)
  },
)

test('a page that was busy when a speech began still knows how much of it was played', () => {
  const { until, sleep, position, playing, begin } = conversation([
    [0, 500],
    [1_000, 3_000],
  ])
  begin('a')
  until(1_000)
  begin('b')
  sleep(1_400)
  until(1_600)
  expect(playing()).toBe('b')
  expect(position()).toBeGreaterThan(460)
  expect(position()).toBeLessThan(540)
})

test('a speech that was cut is played no further than it was sent', () => {
  const { until, playing, begin, clock } = conversation([[0, 5_000]])
  begin('a')
  until(1_000)
  clock.cut(1_000)
  until(1_080)
  expect(playing()).toBe('a')
  until(1_200)
  expect(playing()).toBeUndefined()
})

test('audio that is only late does not reduce how much was played', () => {
  const clock = createSpeechClock(100)
  clock.announced('a')
  let streamMs = 0
  for (let nowMs = 0; nowMs < 2_000; nowMs += 20) {
    // The network delays everything by 200 ms, and the browser continues where it stopped.
    if (nowMs < 1_000 || nowMs >= 1_200) streamMs += 20
    clock.update({ streamMs, atMs: nowMs >= 1_000 && nowMs < 1_200 ? 980 : nowMs }, nowMs)
  }
  const { positionMs } = clock.playing(1_980, 0)!
  expect(positionMs).toBeGreaterThan(1_750)
  expect(positionMs).toBeLessThan(1_810)
})

test('events that arrive after their audio take effect', () => {
  const { until, playing, position, begin, clock } = conversation([[0, 5_000]])
  clock.announced('a')
  until(200)
  clock.sent(200)
  until(1_000)
  begin('b')
  until(1_600)
  expect(playing()).toBe('b')
  expect(position()).toBeGreaterThan(400)
})
