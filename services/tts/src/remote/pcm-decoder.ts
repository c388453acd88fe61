import { RemoteFailure } from './remote-failure.js'

export interface PcmDecoder {
  /** Returns the samples that are complete now, possibly none. `bytes` is not retained. */
  decode(bytes: Uint8Array): Int16Array
  /** Throws a `RemoteFailure` when half a sample is left. */
  end(): void
}

/** Decodes little-endian 16-bit samples from a stream of bytes. */
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
