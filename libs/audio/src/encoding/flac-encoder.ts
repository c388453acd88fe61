import { createRequire } from 'node:module'
import type libflac from 'libflacjs'
import { concatBytes } from '../index.js'
import type { AudioEncoder } from './audio-encoder.js'

/**
 * FLAC of 16 bits by libFLAC, compiled to JavaScript, in frames of 40 ms. The header has neither a length nor a checksum of the
 * audio, since a stream does not know them in advance; decoders accept that.
 *
 * The instance is one for the process. Its encoders share nothing but memory, which grows with the number of encoders in use.
 */

const framesPerSecond = 25
/** Of libFLAC's levels, 0 to 8. Higher ones cost more and save little for speech. */
const compressionLevel = 5

type LibFlac = ReturnType<typeof libflac>

let loaded: Promise<LibFlac> | undefined

/** The build without WebAssembly: the other one fetches its module by a URL, which a path in Node is not. */
const loadLibFlac = (): Promise<LibFlac> =>
  new Promise((resolve) => {
    const open: typeof libflac = createRequire(import.meta.url)('libflacjs')
    const flac = open('min')
    if (flac.isReady()) resolve(flac)
    else flac.on('ready', () => resolve(flac))
  })

export const createFlacEncoder = async ({ sampleRateHz }: { sampleRateHz: number }): Promise<AudioEncoder> => {
  loaded ??= loadLibFlac()
  const flac = await loaded
  const blockSamples = sampleRateHz / framesPerSecond
  const encoder = flac.create_libflac_encoder(sampleRateHz, 1, 16, compressionLevel, 0, false, blockSamples)
  if (encoder === 0) throw new Error(`libFLAC has no encoder for ${sampleRateHz} Hz`)
  let parts: Uint8Array[] = []
  let hasFrame = false
  const initStatus = flac.init_encoder_stream(encoder, (bytes, _length, samples) => {
    hasFrame ||= samples > 0
    parts.push(bytes.slice())
  })
  if (initStatus !== 0) throw new Error(`libFLAC could not begin a stream: status ${initStatus}`)

  const takeParts = (): Uint8Array => {
    const bytes = concatBytes(parts)
    parts = []
    return bytes
  }

  return {
    encode: (pcm) => {
      if (!flac.FLAC__stream_encoder_process_interleaved(encoder, Int32Array.from(pcm), pcm.length)) {
        throw new Error('libFLAC could not encode')
      }
      // The header is returned with the first audio, so that the first bytes mean that there is audio.
      return hasFrame ? takeParts() : new Uint8Array(0)
    },
    finish: () => {
      flac.FLAC__stream_encoder_finish(encoder)
      flac.FLAC__stream_encoder_delete(encoder)
      return takeParts()
    },
  }
}
