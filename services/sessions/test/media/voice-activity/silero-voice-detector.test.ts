import { describeWithPrograms } from '@parlance/testing'
import { openSileroVoiceDetector } from '../../../src/media/voice-activity/silero-voice-detector.js'
import { framesOf, spoken } from '../../spoken.js'

const sampleRateHz = 16_000
const frameMs = 20

const made = (ms: number, sample: (index: number) => number) =>
  Int16Array.from({ length: (ms * sampleRateHz) / 1000 }, (_, index) => sample(index))

/** The same on every run: what a seed makes is no chance. */
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
afterAll(() => detector.close())

/** For each frame whether there is a voice. */
const heardIn = (samples: Int16Array) => framesOf(samples).map((frame) => detector.detect(frame))

describe('what is no voice', () => {
  it.each([
    ['silence', () => 0],
    ['faint noise', noiseOf(30)],
    ['noise', noiseOf(3000)],
    ['loud noise', noiseOf(20_000)],
    ['a low tone', toneOf(100)],
    ['a tone', toneOf(440)],
    ['a high tone', toneOf(3000)],
    ['clicks', (index: number) => (index % 8000 < 40 ? 20_000 * (-1) ** index : 0)],
  ])('%s is not taken for one', (_, sample) => {
    expect(heardIn(made(5000, sample))).not.toContain(true)
  })
})

describeWithPrograms(['flite'], 'a voice', () => {
  const sentence = 'Please tell me the time, and what the weather will be.'

  it.each([0, 1, 2, 3])('is heard while it speaks, and not before or after it (voice %i)', async (voice) => {
    const speech = await spoken(sentence, voice)
    const silence = made(1000, () => 0)
    const heard = heardIn(joined(silence, speech, silence))
    const speechStart = silence.length / 320
    const speechEnd = speechStart + speech.length / 320
    expect(heard.slice(0, speechStart)).not.toContain(true)
    const onset = speechStart + speech.findIndex((sample) => Math.abs(sample) > 500) / 320
    expect(heard.indexOf(true)).toBeLessThan(onset + 200 / frameMs)
    expect(heard.slice(Math.ceil(speechEnd) + 100 / frameMs)).not.toContain(true)
    expect(heard.filter((voice) => voice).length).toBeGreaterThan((speechEnd - onset) * 0.7)
  })

  it('is heard when it is quiet, and through noise', async () => {
    const speech = await spoken(sentence)
    const noise = noiseOf(500)
    for (const samples of [speech.map((sample) => sample * 0.05), speech.map((sample) => sample + noise())]) {
      detector.reset()
      expect(heardIn(samples).filter((voice) => voice).length).toBeGreaterThan((samples.length / 320) * 0.6)
    }
  })

  it('goes on for as long as it speaks, however long that is', async () => {
    const part = await spoken('one two three four five six seven')
    const words = part.subarray(6400, -6400)
    const heard = heardIn(joined(...Array.from({ length: 12 }, () => words)))
    const gaps = heard.slice(heard.indexOf(true), -50).filter((voice) => !voice)
    expect(gaps.length).toBeLessThan(heard.length / 20)
  })

  it('is heard by its own detector only', async () => {
    const speech = framesOf(await spoken(sentence))
    const alone = speech.map((frame) => detector.detect(frame))
    detector.reset()
    const other = openSileroVoiceDetector()
    const noise = noiseOf(3000)
    const heard = speech.map((frame) => {
      const own = detector.detect(frame)
      return [own, other.detect(Int16Array.from(frame, noise))]
    })
    expect(heard.map(([own]) => own)).toEqual(alone)
    expect(heard.map(([, others]) => others)).not.toContain(true)
  })

  it('is forgotten by a reset', async () => {
    const speech = await spoken(sentence)
    const first = heardIn(speech)
    const voiced = first.flatMap((voice, index) => (voice ? [index + 1] : []))
    // The model's windows lie otherwise over each of them.
    for (const frames of voiced.slice(-4)) {
      detector.reset()
      expect(heardIn(speech.subarray(0, frames * 320)).at(-1)).toBe(true)
      detector.reset()
      expect(heardIn(speech)).toEqual(first)
    }
  })
})
