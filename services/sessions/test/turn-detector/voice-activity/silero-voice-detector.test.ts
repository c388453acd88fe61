import { describeWithPrograms } from '@parlance/testing'
import { openSileroVoiceDetector } from '../../../src/turn-detector/voice-activity/voice-detector.js'
import { framesOf, spoken } from '../../spoken.js'

const sampleRateHz = 16_000
const frameMs = 20

const made = (ms: number, sample: (index: number) => number) =>
  Int16Array.from({ length: (ms * sampleRateHz) / 1000 }, (_, index) => sample(index))

/** Deterministic noise. */
const noiseOf = (amplitude: number, seed = 1) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 31 - 1) * amplitude
  }
}
const toneOf = (hz: number) => (index: number) => 8000 * Math.sin((2 * Math.PI * hz * index) / sampleRateHz)

const joined = (...parts: Int16Array[]) => Int16Array.from(parts.flatMap((part) => [...part]))

const detector = openSileroVoiceDetector()
beforeEach(() => detector.reset())

/** Whether there is a voice, for each frame. */
const voiceIn = (samples: Int16Array) => framesOf(samples).map((frame) => detector.detect(frame))

describe('sounds other than voices', () => {
  it.each([
    ['silence', () => 0],
    ['faint noise', noiseOf(30)],
    ['noise', noiseOf(3000)],
    ['loud noise', noiseOf(20_000)],
    ['a low tone', toneOf(100)],
    ['a tone', toneOf(440)],
    ['a high tone', toneOf(3000)],
    ['clicks', (index: number) => (index % 8000 < 40 ? 20_000 * (-1) ** index : 0)],
  ])('%s is not taken for a voice', (_, sample) => {
    expect(voiceIn(made(5000, sample))).not.toContain(true)
  })
})

describeWithPrograms(['flite'], 'a voice', () => {
  const sentence = 'Please tell me the time, and what the weather will be.'

  it.each([0, 1, 2, 3])('is detected while it speaks, and not before or after (voice %i)', async (voice) => {
    const speech = await spoken(sentence, voice)
    const silence = made(1000, () => 0)
    const voices = voiceIn(joined(silence, speech, silence))
    const speechStart = silence.length / 320
    const speechEnd = speechStart + speech.length / 320
    expect(voices.slice(0, speechStart)).not.toContain(true)
    const onset = speechStart + speech.findIndex((sample) => Math.abs(sample) > 500) / 320
    expect(voices.indexOf(true)).toBeLessThan(onset + 200 / frameMs)
    expect(voices.slice(Math.ceil(speechEnd) + 100 / frameMs)).not.toContain(true)
    expect(voices.filter((voice) => voice).length).toBeGreaterThan((speechEnd - onset) * 0.7)
  })

  it.each([0, 1, 2, 3])('is dated at its first and its last sound (voice %i)', async (voice) => {
    const speech = await spoken('Could you tell me when the shop opens tomorrow morning?', voice)
    const isLoud = (sample: number) => Math.abs(sample) > 600
    const loud = speech.subarray(speech.findIndex(isLoud), speech.findLastIndex(isLoud) + 1)
    // The windows of the detector begin at another sample each time.
    for (const lead of [16_000, 16_100, 16_250, 16_400]) {
      detector.reset()
      const changes: number[] = []
      let before = false
      for (const [index, frame] of framesOf(
        joined(
          made(lead / 16, () => 0),
          loud,
          made(1000, () => 0),
        ),
      ).entries()) {
        const now = detector.detect(frame)
        if (now !== before) changes.push((index + 1) * frameMs - detector.changedAgoMs())
        before = now
      }
      const beganMs = lead / 16
      expect(Math.abs(changes[0]! - beganMs)).toBeLessThan(50)
      expect(Math.abs(changes.at(-1)! - (beganMs + loud.length / 16))).toBeLessThan(60)
    }
  })

  it('is detected when it is quiet, and in noise', async () => {
    const speech = await spoken(sentence)
    const noise = noiseOf(500)
    for (const samples of [speech.map((sample) => sample * 0.05), speech.map((sample) => sample + noise())]) {
      detector.reset()
      expect(voiceIn(samples).filter((voice) => voice).length).toBeGreaterThan((samples.length / 320) * 0.6)
    }
  })

  it('is detected for as long as it speaks', async () => {
    const part = await spoken('one two three four five six seven')
    const words = part.subarray(6400, -6400)
    const voices = voiceIn(joined(...Array.from({ length: 12 }, () => words)))
    const gaps = voices.slice(voices.indexOf(true), -50).filter((voice) => !voice)
    expect(gaps.length).toBeLessThan(voices.length / 20)
  })

  it('is detected by its own detector only', async () => {
    const speech = framesOf(await spoken(sentence))
    const alone = speech.map((frame) => detector.detect(frame))
    detector.reset()
    const other = openSileroVoiceDetector()
    const noise = noiseOf(3000)
    const voices = speech.map((frame) => {
      const own = detector.detect(frame)
      return [own, other.detect(Int16Array.from(frame, noise))]
    })
    expect(voices.map(([own]) => own)).toEqual(alone)
    expect(voices.map(([, others]) => others)).not.toContain(true)
  })

  it('does not affect the result after a reset', async () => {
    const speech = await spoken(sentence)
    const first = voiceIn(speech)
    const voiced = first.flatMap((voice, index) => (voice ? [index + 1] : []))
    // The windows of the model begin at another sample of each frame.
    for (const frames of voiced.slice(-4)) {
      detector.reset()
      expect(voiceIn(speech.subarray(0, frames * 320)).at(-1)).toBe(true)
      detector.reset()
      expect(voiceIn(speech)).toEqual(first)
    }
  })
})
