import { createVoiceDetectors } from '../../src/voice-activity/voice-detectors.js'

/** Detectors that hear a voice as soon as they were given a frame, until they are reset. */
const scene = (options?: { ready?: number; most?: number }) => {
  const closed: number[] = []
  let opened = 0
  const openOne = () => {
    const number = ++opened
    let frames = 0
    return {
      hears: () => ++frames > 1,
      reset: () => {
        frames = 0
      },
      close: () => closed.push(number),
    }
  }
  return { detectors: createVoiceDetectors(openOne, options), opened: () => opened, closed }
}
const frame = new Int16Array(320)

it('opens some ahead, and uses again what was closed, as if it were new', () => {
  const { detectors, opened } = scene({ ready: 2 })
  expect(opened()).toBe(2)
  for (let turn = 0; turn < 5; turn++) {
    const detector = detectors.open()
    expect([detector.hears(frame), detector.hears(frame)]).toEqual([false, true])
    detector.close()
  }
  expect(opened()).toBe(2)
})

it('gives nobody a detector that another has', () => {
  const { detectors } = scene()
  const [first, second] = [detectors.open(), detectors.open()]
  first.hears(frame)
  first.hears(frame)
  expect(second.hears(frame)).toBe(false)
  first.close()
  first.close()
  const [third, fourth] = [detectors.open(), detectors.open()]
  third.hears(frame)
  expect(fourth.hears(frame)).toBe(false)
  expect(first.hears(frame)).toBe(false)
  first.reset()
  expect(third.hears(frame)).toBe(true)
})

it('keeps no more than it may, and none once it is closed', () => {
  const { detectors, closed } = scene({ ready: 0, most: 2 })
  for (const detector of [detectors.open(), detectors.open(), detectors.open()]) detector.close()
  expect(closed).toEqual([3])
  detectors.close()
  expect(closed).toEqual([3, 1, 2])
})
