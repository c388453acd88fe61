import { createPlayback } from '../../../src/media/playback/playback.js'

/** A playback whose ticks are made by the test. */
const setUp = () => {
  let tick = () => {}
  let stopped = false
  const frames: (Int16Array | undefined)[] = []
  const playback = createPlayback({
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
    playback,
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

describe('playback', () => {
  test('audio of any length is played in order, in frames of 480 samples', () => {
    const { playback, play } = setUp()
    for (const [from, samples] of [
      [0, 100],
      [100, 1],
      [101, 859],
    ] as const)
      playback.write(ramp(from, samples))
    expect(playback.waitingMs()).toBe(40)
    const [first, second, third] = play(3)
    expect(first).toEqual(ramp(0, 480))
    expect(second).toEqual(ramp(480, 480))
    expect(third).toBeUndefined()
    expect(playback.waitingMs()).toBe(0)
  })

  test('the last frame of a speech is filled with silence, which does not count as played', () => {
    const { playback, play } = setUp()
    playback.write(steady(600))
    const [, last] = play(2)
    expect(last?.subarray(0, 120)).toEqual(steady(120))
    expect(last?.subarray(120)).toEqual(new Int16Array(360))
    expect(playback.playedMs()).toBe(25)
  })

  test('after silence the first frame is sent as it is written, and one tick of the silence after the speech is left out', () => {
    const { playback, frames, play } = setUp()
    play(2)
    playback.write(ramp(0, 960))
    expect(frames).toEqual([undefined, undefined, ramp(0, 480)])
    expect(playback.playedMs()).toBe(20)
    play(3)
    expect(frames.slice(3)).toEqual([ramp(480, 480), undefined])
    expect(frames).toHaveLength(5)
  })

  test('too little audio for two frames, and audio that is paused, wait for the next tick', () => {
    const { playback, frames, play } = setUp()
    play(1)
    playback.write(steady(900))
    playback.pause()
    playback.write(steady(900))
    expect(frames).toHaveLength(1)
    playback.resume()
    expect(play(1)).toEqual([steady(480)])
  })

  test('silence between audio does not count as played', () => {
    const { playback, play } = setUp()
    playback.write(steady(480))
    play(10)
    playback.write(steady(480))
    play(10)
    expect(playback.playedMs()).toBe(40)
  })

  test('a new speech counts from 0, and drops waiting audio', () => {
    const { playback, play } = setUp()
    playback.write(steady(4800))
    play(3)
    playback.begin()
    expect(playback.playedMs()).toBe(0)
    expect(playback.waitingMs()).toBe(0)
  })

  test('after clear it is silent within 5 ms, without a click', () => {
    const { playback, play } = setUp()
    playback.write(steady(4800))
    play(2)
    playback.clear()
    const [ending, after] = play(2)
    expect(ending?.[0]).toBe(1000)
    for (let at = 1; at < 480; at++) {
      expect(Math.abs((ending?.[at] ?? 0) - (ending?.[at - 1] ?? 0))).toBeLessThanOrEqual(10)
    }
    expect(ending?.subarray(120)).toEqual(new Int16Array(360))
    expect(after).toBeUndefined()
    expect(playback.playedMs()).toBe(40)
  })

  test('a pause keeps the waiting audio, and resumes at the same position', () => {
    const { playback, play } = setUp()
    playback.write(steady(480))
    playback.write(ramp(0, 960))
    play(1)
    playback.pause()
    expect(play(5).slice(1)).toEqual([undefined, undefined, undefined, undefined])
    expect(playback.waitingMs()).toBe(40)
    expect(playback.playedMs()).toBe(20)
    playback.resume()
    const [first, second] = play(2)
    expect(first?.[0]).toBe(0)
    expect(first?.subarray(120)).toEqual(ramp(120, 360))
    expect(second).toEqual(ramp(480, 480))
    expect(playback.playedMs()).toBe(60)
  })

  test('a pause can be resumed at an earlier time, from which the speech is played again', () => {
    const { playback, play } = setUp()
    playback.write(ramp(0, 3 * 480))
    play(2)
    playback.pause()
    play(2)
    playback.resume(10)
    expect(playback.playedMs()).toBe(10)
    expect(playback.waitingMs()).toBe(50)
    const [first, second, third] = play(3)
    expect(first?.subarray(120)).toEqual(ramp(360, 360))
    expect(second).toEqual(ramp(720, 480))
    expect(third?.subarray(0, 240)).toEqual(ramp(1200, 240))
    expect(playback.playedMs()).toBe(60)
  })

  test('a time longer ago than is kept, or of an earlier speech, is resumed where it stopped', () => {
    const { playback, play } = setUp()
    playback.write(steady(480 * 200))
    play(150)
    playback.pause()
    play(2)
    playback.resume(500)
    expect(playback.playedMs()).toBe(3000)
    playback.begin()
    playback.write(steady(480))
    playback.pause()
    playback.resume(-1000)
    expect(playback.waitingMs()).toBe(20)
  })

  test('a pause that ends before the next tick has no effect', () => {
    const { playback, play } = setUp()
    playback.write(ramp(0, 1440))
    play(1)
    playback.pause()
    playback.resume()
    expect(play(2)).toEqual([ramp(480, 480), ramp(960, 480)])
  })

  test('clear ends a pause', () => {
    const { playback, play } = setUp()
    playback.write(steady(960))
    play(1)
    playback.pause()
    play(3)
    playback.clear()
    playback.write(ramp(0, 480))
    expect(play(1)).toEqual([ramp(0, 480)])
  })

  test('waiting for room ends when there is room', async () => {
    const { playback, play } = setUp()
    await playback.below(1)
    playback.write(steady(4800))
    let woken = false
    const waiting = playback.below(100).then(() => {
      woken = true
    })
    play(5)
    await Promise.resolve()
    expect(woken).toBe(false)
    play(1)
    await waiting
    expect(playback.waitingMs()).toBe(80)
  })

  test.each(['clear', 'begin', 'close'] as const)('waiting for room ends with %s', async (how) => {
    const { playback } = setUp()
    playback.write(steady(48_000))
    const waiting = playback.below(0)
    playback[how]()
    await waiting
  })

  test('after close it plays nothing and accepts nothing', async () => {
    const { playback, stopped } = setUp()
    playback.close()
    playback.write(steady(480))
    expect(stopped()).toBe(true)
    expect(playback.waitingMs()).toBe(0)
    await playback.below(0)
  })
})
