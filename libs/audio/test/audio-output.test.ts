import { audioFormats, bitRateLimits, ServiceError, sampleRatesHz } from '@parlance/contracts'
import { codecDelayMs, contentType, resolveOutput } from '../src/index.js'

const refusal = (wish: Parameters<typeof resolveOutput>[0]): ServiceError => {
  try {
    resolveOutput(wish)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('It was not refused')
}

test('a format without options gets its first sample rate and its default bit rate', () => {
  expect(audioFormats.map((format) => resolveOutput({ format }))).toEqual([
    { format: 'mp3', sample_rate: 24000, bit_rate: 64000 },
    { format: 'wav', sample_rate: 24000, bit_rate: null },
    { format: 'pcm_s16le', sample_rate: 24000, bit_rate: null },
    { format: 'opus', sample_rate: 48000, bit_rate: 32000 },
    { format: 'flac', sample_rate: 24000, bit_rate: null },
    { format: 'ulaw', sample_rate: 8000, bit_rate: null },
    { format: 'alaw', sample_rate: 8000, bit_rate: null },
  ])
})

test('every sample rate of a format is accepted unchanged', () => {
  for (const format of audioFormats) {
    for (const sample_rate of sampleRatesHz[format]) {
      expect(resolveOutput({ format, sample_rate }).sample_rate).toBe(sample_rate)
    }
  }
})

test('a sample rate that a format does not have is refused with those it has', () => {
  const error = refusal({ format: 'mp3', sample_rate: 48000 })
  expect(error.code).toBe('unsupported_format')
  expect(error.detail).toBe('output.sample_rate 48000 is not possible for mp3; possible: 22050, 24000, 44100')
})

test('a bit rate for a format without one is refused', () => {
  expect(refusal({ format: 'wav', bit_rate: 64000 }).detail).toBe(
    'output.bit_rate is not possible for wav: only mp3 and opus have one',
  )
})

test('Opus takes any bit rate within its limits, and none beyond', () => {
  const { min, max } = bitRateLimits.opus
  for (const bit_rate of [min, 12345, max]) expect(resolveOutput({ format: 'opus', bit_rate }).bit_rate).toBe(bit_rate)
  for (const bit_rate of [min - 1, max + 1]) {
    expect(refusal({ format: 'opus', bit_rate }).detail).toContain('possible: 6000 to 128000')
  }
})

test('MP3 takes the bit rates that its frames have, and refuses others with the list', () => {
  for (const bit_rate of [32000, 64000, 160000])
    expect(resolveOutput({ format: 'mp3', bit_rate }).bit_rate).toBe(bit_rate)
  for (const bit_rate of [24000, 50000, 192000]) {
    expect(refusal({ format: 'mp3', bit_rate }).detail).toContain('possible: 32000, 40000, 48000, 64000')
  }
})

test('every format has a media type', () => {
  expect(audioFormats.map(contentType)).toEqual([
    'audio/mpeg',
    'audio/wav',
    'audio/pcm',
    'audio/ogg; codecs=opus',
    'audio/flac',
    'audio/basic',
    'audio/x-alaw-basic',
  ])
})

test('only MP3 has a delay', () => {
  expect(codecDelayMs({ format: 'mp3', sample_rate: 44100 })).toBeCloseTo(25.06, 2)
  for (const format of audioFormats.filter((name) => name !== 'mp3')) {
    expect(codecDelayMs(resolveOutput({ format }))).toBe(0)
  }
})
