import { type AudioFormat, type AudioOutput, bitRateLimits, ServiceError, sampleRatesHz } from '@parlance/contracts'
import { samplesToMs } from './pcm.js'

/** The constant bit rates of MP3 within our limits, in bits per second. Opus takes any rate within its limits. */
const mp3BitRates: readonly number[] = [32, 40, 48, 64, 80, 96, 112, 128, 160].map((kilobits) => kilobits * 1000)

/**
 * Completes the output that a client asked for by the format's first sample rate and its default bit rate. Throws
 * `ServiceError('unsupported_format')`, whose detail lists the possible values.
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
 * The media type of a format. `audio/basic` is µ-law at 8 kHz by its definition (RFC 2046), and A-law has the name that
 * VoiceXML gave it. `pcm_s16le` is `audio/pcm`, since `audio/L16` is big-endian; the sample rate is sent separately.
 */
export const contentType = (format: AudioFormat): string => contentTypes[format]

const contentTypes: Record<AudioFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm_s16le: 'audio/pcm',
  opus: 'audio/ogg; codecs=opus',
  flac: 'audio/flac',
  ulaw: 'audio/basic',
  alaw: 'audio/x-alaw-basic',
}

/** The filters of MP3 encoders and decoders delay by 576 and 529 samples, and a stream cannot make players skip them. */
const mp3DelaySamples = 1105

/**
 * The delay of decoded audio after the PCM that was encoded, in ms, which alignments on the clock of the audio must add.
 * Only MP3 has one: players drop the delay of Opus, which its header contains.
 */
export const codecDelayMs = (output: Pick<AudioOutput, 'format' | 'sample_rate'>): number =>
  output.format === 'mp3' ? samplesToMs(mp3DelaySamples, output.sample_rate) : 0
