import { readFileSync } from 'node:fs'
import { logMel } from '../src/index.js'

/**
 * Features of some frames in all bands, by NumPy: the feature extractor of Whisper as the model's publisher uses it
 * (`compute_whisper_log_mel_features` of `pipecat-ai` 1.14.0), on the samples of `sweep`, of which the last 8 s count.
 */
const reference: Record<string, { samples: number; frames: number[]; bands: number[][] }> = JSON.parse(
  readFileSync(new URL('./reference-features.json', import.meta.url), 'utf8'),
)

/** A tone beside one that rises and becomes louder and softer again. */
const sweep = (length: number): Int16Array =>
  Int16Array.from({ length }, (_, at) =>
    Math.round(6000 * Math.sin(at ** 2 / 90_000) * Math.sin((Math.PI * at) / length) + 3000 * Math.sin(at / 7)),
  )

test.each(['short', 'long'])('the features of %s audio are those of the reference', (name) => {
  const { samples, frames, bands } = reference[name]!
  const features = logMel(sweep(samples))
  expect(features).toHaveLength(80 * 800)
  expect(bands).toHaveLength(80)
  for (const [band, values] of bands.entries()) {
    for (const [index, frame] of frames.entries()) {
      expect(features[band * 800 + frame]).toBeCloseTo(values[index]!, 3)
    }
  }
})

test.each([0, 128_000])('the features of %d samples of digital silence are finite and all equal', (samples) => {
  const features = logMel(new Int16Array(samples))
  expect(Number.isFinite(features[0])).toBe(true)
  expect(new Set(features).size).toBe(1)
})

test('the features do not depend on the loudness of a voice', () => {
  const loud = logMel(sweep(40_000))
  const soft = logMel(sweep(40_000).map((sample) => Math.round(sample / 4)))
  const most = loud.reduce((difference, value, at) => Math.max(difference, Math.abs(value - soft[at]!)), 0)
  expect(most).toBeLessThan(0.2)
})
