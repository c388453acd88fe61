import type { AudioOutput } from '@parlance/contracts'
import { concatBytes, pcmAsBytes, pcmToAlaw, pcmToBytes, pcmToUlaw, wavHeader } from '../index.js'
import { createFlacEncoder } from './flac-encoder.js'
import { createMp3Encoder, warmMp3Encoders } from './mp3-encoder.js'
import { createOggOpusEncoder, opusSampleRateHz } from './ogg-opus-encoder.js'
import { createResampler } from './resampler.js'

/**
 * Encodes mono PCM as one audio file or stream. The bytes depend on the samples only, and not on their chunks. They may share the
 * memory of the samples, so neither may be changed. Encoders share no state.
 */
export interface AudioEncoder {
  /** The bytes that are ready after these samples: often none, sometimes those of several chunks. Throws after `finish`. */
  encode(pcm: Int16Array): Uint8Array
  /**
   * The rest of the bytes. It also releases the encoder's resources, so call it in a `finally`, even when the audio is not
   * complete. A second call returns no bytes.
   */
  finish(): Uint8Array
}

/** A streamed WAV: its header is returned with the first samples and has no length. */
const createWavEncoder = (options: { sampleRateHz: number }): AudioEncoder => {
  let header = wavHeader({ sampleRateHz: options.sampleRateHz, dataBytes: undefined })

  const takeHeader = (): Uint8Array => {
    const bytes = header
    header = new Uint8Array(0)
    return bytes
  }

  return {
    encode: (pcm) => (pcm.length === 0 ? new Uint8Array(0) : concatBytes([takeHeader(), pcmToBytes(pcm)])),
    finish: takeHeader,
  }
}

/** Creates an encoder for `output`, which takes PCM at `inputSampleRateHz`. */
export const createAudioEncoder = async (options: {
  output: AudioOutput
  inputSampleRateHz: number
}): Promise<AudioEncoder> => {
  const { output, inputSampleRateHz } = options
  const encoderRateHz = output.format === 'opus' ? opusSampleRateHz(inputSampleRateHz) : output.sample_rate
  const encoder = await createFormatEncoder(output, encoderRateHz)
  if (encoderRateHz === inputSampleRateHz) return endingOnce(encoder)

  const resampler = createResampler({ fromHz: inputSampleRateHz, toHz: encoderRateHz })
  return endingOnce({
    encode: (pcm) => encoder.encode(resampler.resample(pcm)),
    finish: () => concatBytes([encoder.encode(resampler.finish()), encoder.finish()]),
  })
}

/** Loads the modules of encoders, so that the first encoder of a process is as fast as later ones. */
export const warmEncoders = async (): Promise<void> => {
  createResampler({ fromHz: 22050, toHz: 24000 })
  await warmMp3Encoders()
}

const createFormatEncoder = async (output: AudioOutput, sampleRateHz: number): Promise<AudioEncoder> => {
  switch (output.format) {
    case 'mp3':
      return createMp3Encoder({ sampleRateHz, bitRate: requireBitRate(output) })
    case 'opus':
      return createOggOpusEncoder({ sampleRateHz, bitRate: requireBitRate(output) })
    case 'flac':
      return createFlacEncoder({ sampleRateHz })
    case 'wav':
      return createWavEncoder({ sampleRateHz })
    case 'pcm_s16le':
      return sampleEncoder(pcmAsBytes)
    case 'ulaw':
      return sampleEncoder(pcmToUlaw)
    case 'alaw':
      return sampleEncoder(pcmToAlaw)
  }
}

/** Encodes each sample on its own, so nothing is kept until the end. */
const sampleEncoder = (encode: AudioEncoder['encode']): AudioEncoder => ({ encode, finish: () => new Uint8Array(0) })

const requireBitRate = (output: AudioOutput): number => {
  if (output.bit_rate === null) throw new TypeError(`An output of ${output.format} needs a bit rate`)
  return output.bit_rate
}

const endingOnce = (encoder: AudioEncoder): AudioEncoder => {
  let finished = false
  return {
    encode: (pcm) => {
      if (finished) throw new Error('This audio encoder is finished')
      return encoder.encode(pcm)
    },
    finish: () => {
      if (finished) return new Uint8Array(0)
      finished = true
      return encoder.finish()
    },
  }
}
