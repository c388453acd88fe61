import { Decoder } from '@evan/opus'
import { receivedRateHz } from '../transport.js'
import { createLossConcealment } from './loss-concealment.js'

/** Decodes one Opus stream to mono PCM at `receivedRateHz`, and conceals losses, which the library's decoder cannot. */
export interface OpusVoiceDecoder {
  /** Undefined for an invalid packet. */
  decode(packet: Uint8Array): Int16Array | undefined
  /** Returns this number of samples in place of lost audio. */
  conceal(samples: number): Int16Array
}

export const createOpusVoiceDecoder = (): OpusVoiceDecoder => {
  const decoder = new Decoder({ channels: 1, sample_rate: receivedRateHz })
  const concealment = createLossConcealment()
  return {
    decode(packet) {
      try {
        const bytes = decoder.decode(packet)
        // The library reuses the memory, so the audio is copied.
        return concealment.receive(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1).slice())
      } catch {
        return undefined
      }
    },
    conceal: concealment.conceal,
  }
}
