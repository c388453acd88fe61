import { type AudioFormat, type AudioOutput, bitRateLimits, ServiceError, sampleRatesHz } from '@parlance/contracts'
import { samplesToMs } from './pcm.js'

/** The constant bit rates MP3 has between its limits, in bits per second. Opus takes any in between. */
const mp3BitRates: readonly number[] = [32, 40, 48, 64, 80, 96, 112, 128, 160].map((kilobits) => kilobits * 1000)

/**
 * A client's wish made complete: the format's first sample rate and its default bit rate where none was asked for.
 * Throws `unsupported_format`, with what is possible in its detail.
 */
export const resolveOutput = (wish: {
  format: AudioFormat
  sample_rate?: number | undefined
  bit_rate?: number | undefined
}): AudioOutput => ({
  format: wish.format,
  sample_rate: resolveSampleRate(wish.format, wish.sample_rate),
  bit_rate: resolveBitRate(wish.format, wish.bit_rate),
})

const resolveSampleRate = (format: AudioFormat, wished: number | undefined): number => {
  const possible: readonly number[] = sampleRatesHz[format]
  const rate = wished ?? possible[0]!
  if (!possible.includes(rate)) {
    throw unsupported(`output.sample_rate ${rate} is not possible for ${format}; possible: ${inOrder(possible)}`)
  }
  return rate
}

const resolveBitRate = (format: AudioFormat, wished: number | undefined): number | null => {
  if (format !== 'mp3' && format !== 'opus') {
    if (wished === undefined) return null
    throw unsupported(`output.bit_rate is not possible for ${format}: only mp3 and opus have one`)
  }
  const { min, max, default: standard } = bitRateLimits[format]
  const rate = wished ?? standard
  if (format === 'mp3' && !mp3BitRates.includes(rate)) {
    throw unsupported(`output.bit_rate ${rate} is not possible for mp3; possible: ${inOrder(mp3BitRates)}`)
  }
  if (!Number.isInteger(rate) || rate < min || rate > max) {
    throw unsupported(`output.bit_rate ${rate} is not possible for ${format}; possible: ${min} to ${max}`)
  }
  return rate
}

const unsupported = (detail: string): ServiceError => new ServiceError('unsupported_format', detail)

const inOrder = (rates: readonly number[]): string => rates.toSorted((a, b) => a - b).join(', ')

/**
 * The media type of a body. `audio/basic` is µ-law at 8 kHz by its definition (RFC 2046) and A-law has the name that
 * VoiceXML gave it. `audio/L16` would be a lie for `pcm_s16le`, since it is big-endian: so `audio/pcm`, with the sample
 * rate told beside it.
 */
export const contentType = (format: AudioFormat): string => contentTypes[format]

const contentTypes: Record<AudioFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm_s16le: 'audio/pcm',
  opus: 'audio/ogg; codecs=opus',
  ulaw: 'audio/basic',
  alaw: 'audio/x-alaw-basic',
}

/** MP3's encoder and decoder filters take 576 and 529 samples, and a stream has no way to tell players to skip them. */
const mp3DelaySamples = 1105

/**
 * How much later than the PCM it was made of the decoded audio sounds, in ms: alignment on the clock of the audio adds
 * it. Only MP3 has such a delay; Opus has one too, but its header tells players to drop it.
 */
export const codecDelayMs = (output: Pick<AudioOutput, 'format' | 'sample_rate'>): number =>
  output.format === 'mp3' ? samplesToMs(mp3DelaySamples, output.sample_rate) : 0
