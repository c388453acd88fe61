import { createLossConcealment } from '../../src/media/webrtc/loss-concealment.js'
import { concat, purity, rms, tone } from './tone.js'

const frameOf = (hz: number, index: number) => tone({ hz, rateHz: 16000, samples: 320, from: index * 320 })

const largestStep = (pcm: Int16Array) =>
  pcm.reduce((most, sample, at) => (at === 0 ? 0 : Math.max(most, Math.abs(sample - (pcm[at - 1] as number)))), 0)

describe('loss concealment', () => {
  test.each([90, 133, 211, 347])('a voice of %i Hz continues over a lost frame, without a discontinuity', (hz) => {
    const concealment = createLossConcealment()
    const frames = Array.from({ length: 30 }, (_, index) =>
      index % 10 === 5 ? concealment.conceal(320) : concealment.receive(frameOf(hz, index)),
    )
    const pcm = concat(frames)
    expect(purity(pcm, hz, 16000)).toBeGreaterThan(0.95)
    const ownStep = largestStep(frameOf(hz, 0))
    expect(largestStep(pcm)).toBeLessThan(ownStep * 1.5 + 100)
  })

  test('it fades to silence within 60 ms, and stays silent', () => {
    const concealment = createLossConcealment()
    for (let index = 0; index < 5; index++) concealment.receive(frameOf(150, index))
    const levels = Array.from({ length: 5 }, () => rms(concealment.conceal(320)))
    expect(levels[0]).toBeGreaterThan(levels[1] as number)
    expect(levels[1]).toBeGreaterThan(levels[2] as number)
    expect(levels.slice(3)).toEqual([0, 0])
  })

  test('without received audio, the concealed audio is silence', () => {
    expect(rms(createLossConcealment().conceal(320))).toBe(0)
  })

  test('frames of any length are taken', () => {
    const concealment = createLossConcealment()
    for (const samples of [0, 40, 160, 960, 1920]) {
      expect(concealment.receive(tone({ hz: 200, rateHz: 16000, samples }))).toHaveLength(samples)
      expect(concealment.conceal(samples)).toHaveLength(samples)
    }
  })
})
