import { type ControlledDelay, controlledDelay, initialControlledDelay, isStanding } from '../src/controlled-delay.js'

type Step = readonly ['queued' | 'emptied', number]

const after = (steps: readonly Step[], state = initialControlledDelay): ControlledDelay =>
  steps.reduce((before, [event, nowMs]) => controlledDelay(before, event, nowMs), state)

describe('controlled delay', () => {
  test('an empty queue is not standing', () => {
    expect(isStanding(initialControlledDelay, 1_000_000)).toBe(false)
  })

  test('a queue may last two seconds, and is standing from then on until it is empty', () => {
    const queued = after([['queued', 1_000]])
    expect(isStanding(queued, 3_000)).toBe(false)
    expect(isStanding(queued, 3_001)).toBe(true)
    expect(isStanding(queued, 60_000)).toBe(true)
    expect(isStanding(after([['emptied', 60_000]], queued), 60_000)).toBe(false)
  })

  test('a queue that empties every two seconds is never standing, however seldom it is empty', () => {
    let state = initialControlledDelay
    for (let atMs = 0; atMs < 60_000; atMs += 2_000) {
      state = after([['queued', atMs]], state)
      expect(isStanding(state, atMs + 1_999)).toBe(false)
      state = after([['emptied', atMs + 1_999]], state)
    }
  })

  test('a queue that grows counts from when it was last empty, not from its last request', () => {
    const state = after([0, 500, 1_000, 1_500, 2_000].map((atMs): Step => ['queued', atMs]))
    expect(isStanding(state, 2_001)).toBe(true)
  })

  test('after a standing queue the next one may last for a quarter of the time since', () => {
    const recovered = after([
      ['queued', 0],
      ['emptied', 5_000],
    ])
    for (const calmMs of [40, 400, 4_000]) {
      const state = after([['queued', 5_000 + calmMs]], recovered)
      expect(isStanding(state, 5_000 + calmMs * 1.25)).toBe(false)
      expect(isStanding(state, 5_000 + calmMs * 1.25 + 1)).toBe(true)
    }
    const state = after([['queued', 60_000]], recovered)
    expect(isStanding(state, 62_000)).toBe(false)
  })

  test('short queues after a standing one do not restart the interval', () => {
    const state = after([
      ['queued', 0],
      ['emptied', 5_000],
      ['queued', 5_200],
      ['emptied', 5_240],
      ['queued', 6_000],
    ])
    expect(isStanding(state, 6_250)).toBe(false)
    expect(isStanding(state, 6_251)).toBe(true)
  })

  test('an overload whose queue empties now and then is standing for nearly all of its time', () => {
    let state = after([
      ['queued', 0],
      ['emptied', 4_000],
    ])
    let standingMs = 0
    for (let atMs = 4_000; atMs < 14_000; atMs += 200) {
      state = after([['queued', atMs + 3]], state)
      for (let ms = 3; ms < 200; ms++) standingMs += isStanding(state, atMs + ms) ? 1 : 0
      state = after([['emptied', atMs + 200]], state)
    }
    expect(standingMs / 10_000).toBeGreaterThan(0.95)
  })

  test('repeating an event changes nothing', () => {
    const queued = after([['queued', 10]])
    expect(controlledDelay(queued, 'queued', 500)).toBe(queued)
    const emptied = after([['emptied', 600]], queued)
    expect(controlledDelay(emptied, 'emptied', 700)).toBe(emptied)
  })
})
