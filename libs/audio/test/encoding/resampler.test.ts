import { samplesToMs } from '@parlance/audio'
import { sampleRatesHz } from '@parlance/contracts'
import fc from 'fast-check'
import { createResampler } from '../../src/encoding/index.js'
import { noise, onset, tone, toneAndRest } from './signal.js'

const rates = sampleRatesHz.wav
const everyPair = rates.flatMap((fromHz) =>
  rates.filter((toHz) => toHz !== fromHz).map((toHz) => [fromHz, toHz] as const),
)

const resample = async (fromHz: number, toHz: number, pcm: Int16Array, chunkSamples = 441): Promise<Int16Array> => {
  const resampler = createResampler({ fromHz, toHz })
  const parts: number[] = []
  for (let at = 0; at < pcm.length; at += chunkSamples) {
    parts.push(...resampler.resample(pcm.subarray(at, at + chunkSamples)))
  }
  parts.push(...resampler.finish())
  return Int16Array.from(parts)
}

test.each(everyPair)('from %i to %i Hz a tone keeps its length, its start and its shape', async (fromHz, toHz) => {
  const pcm = tone({ frequencyHz: 500, sampleRateHz: fromHz, durationMs: 500, silenceMs: 100 })
  const resampled = await resample(fromHz, toHz, pcm)
  expect(resampled).toHaveLength(Math.round((pcm.length * toHz) / fromHz))
  expect(Math.abs(samplesToMs(onset(resampled), toHz) - samplesToMs(onset(pcm), fromHz))).toBeLessThan(1)

  const middle = resampled.subarray(toHz * 0.2, toHz * 0.5)
  const { tone: kept, rest } = toneAndRest(middle, 500, toHz)
  expect(10 * Math.log10(kept / rest)).toBeGreaterThan(55)
})

test.each(everyPair)('from %i to %i Hz every length comes out exact', async (fromHz, toHz) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 3000 }), async (samples, chunk) => {
      expect(await resample(fromHz, toHz, noise(samples), chunk)).toHaveLength(Math.round((samples * toHz) / fromHz))
    }),
    { numRuns: 25 },
  )
})

test('frequencies above half the lower rate are removed, without aliasing', async () => {
  const pcm = tone({ frequencyHz: 7000, sampleRateHz: 24000, durationMs: 500 })
  const resampled = await resample(24000, 8000, pcm)
  const middle = resampled.subarray(800, 3200)
  expect(Math.max(...middle.map(Math.abs))).toBeLessThan(80)
})

test('loud input saturates at 16 bits', async () => {
  const square = Int16Array.from({ length: 22050 }, (_, i) => (i % 100 < 50 ? 32767 : -32768))
  const resampled = await resample(22050, 24000, square)
  // A wrapped sample would jump across almost the whole range inside a plateau.
  const plateau = resampled.subarray(1000, 20000).filter((sample) => Math.abs(sample) > 20000)
  expect(plateau.length).toBeGreaterThan(17000)
})

test.each([
  [22050, 0],
  [0, 22050],
  [8000, 8000.5],
  [-8000, 8000],
  [8000, 96000],
])('invalid rates, or rates too far apart, are an error: %d to %d Hz', (fromHz, toHz) => {
  expect(() => createResampler({ fromHz, toHz })).toThrow('Cannot resample')
})

test('resamplers that are used at the same time do not affect each other', async () => {
  const tones = [200, 500, 900].map((frequencyHz) => tone({ frequencyHz, sampleRateHz: 22050, durationMs: 300 }))
  const alone = await Promise.all(tones.map((pcm) => resample(22050, 24000, pcm)))
  const resamplers = tones.map(() => createResampler({ fromHz: 22050, toHz: 24000 }))
  const parts: number[][] = tones.map(() => [])
  for (let at = 0; at < tones[0]!.length; at += 700) {
    for (const [n, resampler] of resamplers.entries()) {
      parts[n]!.push(...resampler.resample(tones[n]!.subarray(at, at + 700)))
    }
  }
  for (const [n, resampler] of resamplers.entries()) parts[n]!.push(...resampler.finish())
  expect(parts.map((samples) => Int16Array.from(samples))).toEqual(alone)
})

test.each(everyPair)('from %i to %i Hz a tone high in the band keeps its loudness', async (fromHz, toHz) => {
  const frequencyHz = 0.4 * Math.min(fromHz, toHz)
  const pcm = tone({ frequencyHz, sampleRateHz: fromHz, durationMs: 400 })
  const power = (samples: Int16Array, sampleRateHz: number) => {
    const middle = samples.subarray(sampleRateHz / 10, (sampleRateHz * 3) / 10)
    return toneAndRest(middle, frequencyHz, sampleRateHz).tone / middle.length
  }
  const decibels = 10 * Math.log10(power(await resample(fromHz, toHz, pcm), toHz) / power(pcm, fromHz))
  expect(Math.abs(decibels)).toBeLessThan(0.5)
})

test('a finished resampler refuses more samples', () => {
  const resampler = createResampler({ fromHz: 22050, toHz: 24000 })
  resampler.finish()
  expect(() => resampler.resample(new Int16Array(10))).toThrow('finished')
  expect(() => resampler.finish()).toThrow('finished')
})
