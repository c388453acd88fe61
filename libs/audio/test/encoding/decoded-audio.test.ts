import { codecDelayMs, resolveOutput, samplesToMs } from '@parlance/audio'
import type { AudioOutput } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { decode } from './decode.js'
import { describeOutput, encode, everyOutput } from './encode.js'
import { noise, onset, tone, toneAndRest } from './signal.js'

const inputSampleRateHz = 22050
const frequencyHz = 1000

/** The minimum energy of the tone over the rest, in dB: below what each codec preserves of a sine. */
const leastSignalToNoiseDb: Record<AudioOutput['format'], number> = {
  pcm_s16le: 60,
  wav: 60,
  flac: 60,
  ulaw: 30,
  alaw: 30,
  mp3: 20,
  opus: 15,
}

/** The allowed error of the decoded length: zero, except for MP3, which only has whole frames. */
const lengthToleranceMs = ({ format, sample_rate }: AudioOutput): number =>
  format === 'mp3' ? samplesToMs(sample_rate < 32000 ? 576 : 1152, sample_rate) : 1

describeWithPrograms(['ffmpeg'], 'decoded audio', () => {
  test('of FLAC has every sample of the encoded audio unchanged', async () => {
    const pcm = noise(30_000)
    const output = resolveOutput({ format: 'flac', sample_rate: inputSampleRateHz })
    expect(decode(await encode(output, inputSampleRateHz, pcm), output)).toEqual(pcm)
  })

  describe.each(everyOutput.map((output) => [describeOutput(output), output] as const))('in %s', (_, output) => {
    test('is as long as the encoded audio', async () => {
      const pcm = tone({ frequencyHz, sampleRateHz: inputSampleRateHz, durationMs: 1234 })
      const decoded = decode(await encode(output, inputSampleRateHz, pcm), output)
      const extraMs = samplesToMs(decoded.length, output.sample_rate) - 1234 - codecDelayMs(output)
      expect(extraMs).toBeGreaterThan(-1)
      expect(extraMs).toBeLessThanOrEqual(lengthToleranceMs(output))
    })

    test('is the same tone, as loud and as pure', async () => {
      const pcm = tone({ frequencyHz, sampleRateHz: inputSampleRateHz, durationMs: 1000 })
      const decoded = decode(await encode(output, inputSampleRateHz, pcm), output)
      const middle = decoded.subarray(output.sample_rate / 4, (output.sample_rate * 3) / 4)
      const { tone: kept, rest } = toneAndRest(middle, frequencyHz, output.sample_rate)
      const amplitude = Math.sqrt((2 * kept) / middle.length)
      expect(amplitude).toBeGreaterThan(8000 * 0.9)
      expect(amplitude).toBeLessThan(8000 * 1.1)
      expect(10 * Math.log10(kept / rest)).toBeGreaterThan(leastSignalToNoiseDb[output.format])
    })

    test('starts at the time of its alignment', async () => {
      const pcm = tone({ frequencyHz, sampleRateHz: inputSampleRateHz, durationMs: 300, silenceMs: 300 })
      const decoded = decode(await encode(output, inputSampleRateHz, pcm), output)
      const startMs = samplesToMs(onset(decoded), output.sample_rate)
      // Codecs smear the start of a sound a little, ahead of it as well.
      expect(Math.abs(startMs - 300 - codecDelayMs(output))).toBeLessThan(3)
    })

    test('is silence for silence', async () => {
      const decoded = decode(await encode(output, inputSampleRateHz, new Int16Array(11025)), output)
      expect(decoded.length).toBeGreaterThanOrEqual(output.sample_rate / 2 - 1)
      expect(decoded.every((sample) => Math.abs(sample) <= 8)).toBe(true)
    })
  })

  test.each(['mp3', 'opus', 'wav'] as const)('a file of %s is complete, however short the audio', async (format) => {
    const output = resolveOutput({ format })
    for (const samples of [0, 1, 400]) {
      const decoded = decode(await encode(output, 24000, new Int16Array(samples)), output)
      expect(decoded.length).toBeGreaterThanOrEqual(samples)
    }
  })

  test.each([8000, 12000, 16000, 24000, 44100, 48000])('Opus takes PCM at %i Hz', async (sampleRateHz) => {
    const output = resolveOutput({ format: 'opus' })
    const pcm = tone({ frequencyHz, sampleRateHz, durationMs: 500 })
    const decoded = decode(await encode(output, sampleRateHz, pcm), output)
    expect(Math.abs(samplesToMs(decoded.length, 48000) - 500)).toBeLessThan(1)
  })

  test.each(['mp3', 'opus'] as const)('a higher bit rate of %s makes a larger file', async (format) => {
    const pcm = tone({ frequencyHz, sampleRateHz: inputSampleRateHz, durationMs: 1000 })
    const sizes = await Promise.all(
      [32000, 64000, 128000].map(async (bit_rate) => {
        const output = resolveOutput({ format, bit_rate })
        const file = await encode(output, inputSampleRateHz, pcm)
        expect(decode(file, output).length).toBeGreaterThan(0)
        return file.length
      }),
    )
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(sizes).size).toBe(3)
  })
})
