import { concatBytes, pcmToBytes, wavHeader } from '../index.js'
import type { AudioEncoder } from './encoder.js'

/** A streamed WAV: its header is returned with the first samples and has no length. */
export const createWavEncoder = (options: { sampleRateHz: number }): AudioEncoder => {
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
