import { samplesToMs } from '@parlance/audio'
import { sampleRatesHz } from '@parlance/contracts'
import fc from 'fast-check'
import { createResampler } from '../src/index.js'
import { noise, onset, tone, toneAndRest } from './signal.js'

const rates = sampleRatesHz.wav
const everyPair = rates.flatMap((fromHz) =>
  rates.filter((toHz) => toHz !== fromHz).map((toHz) => [fromHz, toHz] as const),
)

const resample = async (fromHz: number, toHz: number, pcm: Int16Array, chunkSamples = 441): Promise<Int16Array> => {
  const resampler = await createResampler({ fromHz, toHz })
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

test('what lies above half the lower rate is taken out instead of folded down', async () => {
  const pcm = tone({ frequencyHz: 7000, sampleRateHz: 24000, durationMs: 500 })
  const resampled = await resample(24000, 8000, pcm)
  const middle = resampled.subarray(800, 3200)
  expect(Math.max(...middle.map(Math.abs))).toBeLessThan(80)
})

test('loud input stays at the edge of 16 bits instead of wrapping round', async () => {
  const square = Int16Array.from({ length: 22050 }, (_, i) => (i % 100 < 50 ? 32767 : -32768))
  const resampled = await resample(22050, 24000, square)
  // A wrapped sample would jump across almost the whole range inside a plateau.
  const plateau = resampled.subarray(1000, 20000).filter((sample) => Math.abs(sample) > 20000)
  expect(plateau.length).toBeGreaterThan(17000)
})

test('a rate that is none is an error', async () => {
  await expect(createResampler({ fromHz: 22050, toHz: 0 })).rejects.toThrow('Cannot resample')
})

test('a finished resampler refuses more', async () => {
  const resampler = await createResampler({ fromHz: 22050, toHz: 24000 })
  resampler.finish()
  expect(() => resampler.resample(new Int16Array(10))).toThrow('finished')
  expect(() => resampler.finish()).toThrow('finished')
})
