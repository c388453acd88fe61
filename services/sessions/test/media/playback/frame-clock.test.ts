import { createFrameClock } from '../../../src/media/playback/frame-clock.js'
import { createFakeTime } from './fake-time.js'

const setUp = (onError?: (error: unknown) => void) => {
  const time = createFakeTime()
  const clock = createFrameClock({ now: time.now, after: time.after, ...(onError && { onError }) })
  return { time, clock }
}

describe('frame clock', () => {
  test('an hour of late timers has exactly as many ticks as an hour', () => {
    const { time, clock } = setUp()
    let ticks = 0
    clock.onTick(() => ticks++)
    time.advance(3_600_005, 1.7)
    expect(ticks).toBe(180_000)
  })

  test('ticks are 20 ms apart', () => {
    const { time, clock } = setUp()
    const at: number[] = []
    clock.onTick(() => at.push(time.now()))
    time.advance(100)
    expect(at.slice(1).map((ms, index) => ms - (at[index] as number))).toEqual([20, 20, 20, 20])
  })

  test('missed ticks are made up for at once', () => {
    const { time, clock } = setUp()
    let ticks = 0
    clock.onTick(() => ticks++)
    time.advance(20)
    ticks = 0
    time.stall(80)
    time.advance(1)
    expect(ticks).toBe(4)
    time.advance(99)
    expect(ticks).toBe(9)
  })

  test('a long stall is lost time, not a burst', () => {
    const { time, clock } = setUp()
    let [first, second] = [0, 0]
    clock.onTick(() => first++)
    clock.onTick(() => second++)
    time.advance(20)
    ;[first, second] = [0, 0]
    time.stall(5000)
    time.advance(0)
    expect([first, second]).toEqual([1, 1])
    time.advance(200)
    expect([first, second]).toEqual([11, 11])
  })

  test('listeners are spread over the 20 ms', () => {
    const { time, clock } = setUp()
    const at: number[] = []
    for (let listener = 0; listener < 8; listener++) clock.onTick(() => at.push(time.now()))
    time.advance(100)
    at.length = 0
    time.advance(20)
    expect(new Set(at).size).toBe(4)
    expect(at).toHaveLength(8)
  })

  test('no timer is left without listeners', () => {
    const { time, clock } = setUp()
    const stops = [clock.onTick(() => {}), clock.onTick(() => {})]
    time.advance(50)
    for (const stop of stops) stop()
    time.advance(50)
    expect(time.waiting).toBe(0)
  })

  test('a listener that stops, or begins, within a tick does not disturb the others', () => {
    const { time, clock } = setUp()
    let [others, added] = [0, 0]
    const stop = clock.onTick(() => {
      stop()
      clock.onTick(() => added++)
    })
    clock.onTick(() => others++)
    time.advance(200)
    expect(others).toBe(10)
    expect(added).toBeGreaterThanOrEqual(9)
  })

  test('after a time without listeners the first tick is not late', () => {
    const { time, clock } = setUp()
    clock.onTick(() => {})()
    time.advance(10_000)
    let ticks = 0
    clock.onTick(() => ticks++)
    time.advance(20)
    expect(ticks).toBe(1)
  })

  test('a listener that throws is reported and removed; the others continue', () => {
    const errors: unknown[] = []
    const { time, clock } = setUp((error) => errors.push(error))
    let ticks = 0
    clock.onTick(() => {
      throw new Error('broken')
    })
    clock.onTick(() => ticks++)
    time.advance(100)
    expect(errors).toEqual([new Error('broken')])
    expect(ticks).toBe(5)
  })
})
