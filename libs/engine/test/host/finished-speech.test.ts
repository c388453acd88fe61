import type { SpeechMarks } from '@parlance/engine/protocol'
import fc from 'fast-check'
import { type FinishOptions, finishSpeech } from '../../src/host/finished-speech.js'

const sampleRateHz = 8000
const samplesOf = (ms: number) => (ms * sampleRateHz) / 1000
const silence = (ms: number) => new Int16Array(samplesOf(ms)).fill(100)
const sound = (ms: number) => new Int16Array(samplesOf(ms)).fill(5000)

/** The output for the speech that `speak` sends. */
const finished = (speak: (output: ReturnType<typeof finishSpeech>) => void, options: Partial<FinishOptions> = {}) => {
  const samples: number[] = []
  const batches: SpeechMarks[] = []
  const output = finishSpeech(
    {
      audio: (block) => samples.push(...block) > 0,
      marks: (marks) => void batches.push(marks),
      isWanted: () => true,
      whenUnwanted: () => new Promise(() => {}),
      end: (marks) => void (marks && batches.push(marks)),
    },
    { sampleRateHz, factor: 1, ...options },
  )
  speak(output)
  return { samples, batches }
}
const word = (startMs: number, endMs: number) => ({ text: 'a', textStart: 0, textEnd: 1, startMs, endMs })

describe('the speech that leaves an engine process', () => {
  it('begins with at most 10 ms of silence, however it is divided into blocks, and keeps every sound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 900 }), (silentMs, blockSamples) => {
        const whole = Int16Array.from([...silence(silentMs), ...sound(50), ...silence(30)])
        const { samples } = finished((output) => {
          for (let at = 0; at < whole.length; at += blockSamples) output.audio(whole.subarray(at, at + blockSamples))
        })
        expect(samples).toEqual([...silence(Math.min(silentMs, 10)), ...sound(50), ...silence(30)])
      }),
    )
  })

  it('has its marks moved with the audio, and the removed silence in the pause after it', () => {
    const { batches } = finished((output) => {
      output.audio(silence(240))
      output.audio(sound(60))
      output.marks({ words: [word(240, 300)], phonemes: [{ ipa: 'a', startMs: 225, endMs: 300 }], pauseMs: 100 })
      output.audio(silence(200))
      output.end({ words: [word(300, 500)], phonemes: [] })
    })
    expect(batches).toEqual([
      { words: [word(10, 70)], phonemes: [{ ipa: 'a', startMs: 0, endMs: 70 }], pauseMs: 330 },
      { words: [word(70, 270)], phonemes: [], pauseMs: undefined },
    ])
  })

  it('is empty when there is no sound', () => {
    const { samples, batches } = finished((output) => {
      output.audio(silence(400))
      output.end({ words: [word(0, 400)], phonemes: [], pauseMs: 50 })
    })
    expect(samples).toEqual([])
    expect(batches).toEqual([{ words: [], phonemes: [], pauseMs: 50 }])
  })

  it('is made louder or softer by the factor, and never clipped', () => {
    const made = (factor: number, ...samples: number[]) =>
      finished((output) => output.audio(Int16Array.of(...samples)), { factor }).samples
    expect(made(2, 10_000, -10_000, 1)).toEqual([20_000, -20_000, 2])
    expect(made(0.5, 10_001)).toEqual([5001])
    expect(made(0, 10_000, -3)).toEqual([0, 0])
    const [below, above, high, highest] = made(3, 8_000, 9_000, 20_000, 32_767) as [number, number, number, number]
    expect(below).toBe(24_000)
    expect(above).toBeGreaterThan(below)
    expect(high).toBeGreaterThan(above)
    expect(highest).toBeLessThanOrEqual(32_767)
    expect(made(3, -20_000)).toEqual([-high])
  })
})
