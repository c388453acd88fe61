import { createPlayback } from '../../../src/media/playback/create-playback.js'

/** A playout whose ticks come when they are asked for. */
const setUp = () => {
  let tick = () => {}
  let stopped = false
  const frames: (Int16Array | undefined)[] = []
  const playout = createPlayback({
    playFrame: (frame) => frames.push(frame),
    frameClock: {
      onTick(onFrame) {
        tick = onFrame
        return () => {
          stopped = true
        }
      },
    },
  })
  return {
    playout,
    frames,
    play: (count: number) => {
      for (let each = 0; each < count; each++) tick()
      return frames.slice(-count)
    },
    stopped: () => stopped,
  }
}

const ramp = (from: number, samples: number) => Int16Array.from({ length: samples }, (_, at) => from + at)
const steady = (samples: number) => new Int16Array(samples).fill(1000)

describe('playout', () => {
  test('what is written in any pieces is played in order, 480 samples in a frame', () => {
    const { playout, play } = setUp()
    for (const [from, samples] of [
      [0, 100],
      [100, 1],
      [101, 859],
    ] as const)
      playout.write(ramp(from, samples))
    expect(playout.waitingMs()).toBe(40)
    const [first, second, third] = play(3)
    expect(first).toEqual(ramp(0, 480))
    expect(second).toEqual(ramp(480, 480))
    expect(third).toBeUndefined()
    expect(playout.waitingMs()).toBe(0)
  })

  test('the end of a speech is filled up with silence, and counts for what it was', () => {
    const { playout, play } = setUp()
    playout.write(steady(600))
    const [, last] = play(2)
    expect(last?.subarray(0, 120)).toEqual(steady(120))
    expect(last?.subarray(120)).toEqual(new Int16Array(360))
    expect(playout.playedMs()).toBe(25)
  })

  test('silence between does not count as played', () => {
    const { playout, play } = setUp()
    playout.write(steady(480))
    play(10)
    playout.write(steady(480))
    play(10)
    expect(playout.playedMs()).toBe(40)
  })

  test('a new speech counts from 0, and drops what waited', () => {
    const { playout, play } = setUp()
    playout.write(steady(4800))
    play(3)
    playout.begin()
    expect(playout.playedMs()).toBe(0)
    expect(playout.waitingMs()).toBe(0)
  })

  test('cleared, it falls silent within 5 ms and without a click', () => {
    const { playout, play } = setUp()
    playout.write(steady(4800))
    play(2)
    playout.clear()
    const [ending, after] = play(2)
    expect(ending?.[0]).toBe(1000)
    for (let at = 1; at < 480; at++) {
      expect(Math.abs((ending?.[at] ?? 0) - (ending?.[at - 1] ?? 0))).toBeLessThanOrEqual(10)
    }
    expect(ending?.subarray(120)).toEqual(new Int16Array(360))
    expect(after).toBeUndefined()
    expect(playout.playedMs()).toBe(40)
  })

  test('paused, it holds what waits, and goes on where it was', () => {
    const { playout, play } = setUp()
    playout.write(steady(480))
    playout.write(ramp(0, 960))
    play(1)
    playout.pause()
    expect(play(5).slice(1)).toEqual([undefined, undefined, undefined, undefined])
    expect(playout.waitingMs()).toBe(40)
    expect(playout.playedMs()).toBe(20)
    playout.resume()
    const [first, second] = play(2)
    expect(first?.[0]).toBe(0)
    expect(first?.subarray(120)).toEqual(ramp(120, 360))
    expect(second).toEqual(ramp(480, 480))
    expect(playout.playedMs()).toBe(60)
  })

  test('a pause that was taken back before it was heard is not heard', () => {
    const { playout, play } = setUp()
    playout.write(ramp(0, 1440))
    play(1)
    playout.pause()
    playout.resume()
    expect(play(2)).toEqual([ramp(480, 480), ramp(960, 480)])
  })

  test('clearing what is paused ends the pause', () => {
    const { playout, play } = setUp()
    playout.write(steady(960))
    play(1)
    playout.pause()
    play(3)
    playout.clear()
    playout.write(ramp(0, 480))
    expect(play(1)).toEqual([ramp(0, 480)])
  })

  test('waiting for room ends when there is', async () => {
    const { playout, play } = setUp()
    await playout.below(1)
    playout.write(steady(4800))
    let woken = false
    const waiting = playout.below(100).then(() => {
      woken = true
    })
    play(5)
    await Promise.resolve()
    expect(woken).toBe(false)
    play(1)
    await waiting
    expect(playout.waitingMs()).toBe(80)
  })

  test.each(['clear', 'begin', 'close'] as const)('waiting for room ends with %s', async (how) => {
    const { playout } = setUp()
    playout.write(steady(48_000))
    const waiting = playout.below(0)
    playout[how]()
    await waiting
  })

  test('closed, it plays nothing and takes nothing', async () => {
    const { playout, stopped } = setUp()
    playout.close()
    playout.write(steady(480))
    expect(stopped()).toBe(true)
    expect(playout.waitingMs()).toBe(0)
    await playout.below(0)
  })
})
