import { RemoteFailure } from './remote-failure.js'

export interface PcmDecoder {
  /** The whole samples in what has come so far; maybe none. The bytes stay the caller's. */
  decode(bytes: Uint8Array): Int16Array
  /** Throws when half a sample is left over. */
  end(): void
}

/** Little-endian 16-bit samples from bytes that were cut anywhere. */
export const createPcmDecoder = (): PcmDecoder => {
  let half: number | undefined

  return {
    decode(bytes) {
      const carried = half === undefined ? 0 : 1
      const samples = (bytes.length + carried) >> 1
      const whole = new Uint8Array(samples * 2)
      const rest = bytes.length + carried - whole.length
      if (half !== undefined && samples > 0) whole[0] = half
      if (samples > 0) whole.set(bytes.subarray(0, bytes.length - rest), carried)
      if (rest === 0) half = undefined
      else if (bytes.length > 0) half = bytes.at(-1)
      return new Int16Array(whole.buffer)
    },
    end() {
      if (half !== undefined) throw new RemoteFailure('broken', 'the audio ends within a sample')
    },
  }
}
