import { Decoder } from '@evan/opus'
import { heardRateHz } from '../transport.js'
import { createLossConcealment } from './loss-concealment.js'

/** Decodes one stream of Opus to mono PCM at 16 kHz, and makes up what is missing of it: the library's decoder cannot. */
export interface OpusVoiceDecoder {
  /** Undefined for a packet that is none. */
  decode(packet: Uint8Array): Int16Array | undefined
  /** So many samples in place of what was lost. */
  conceal(samples: number): Int16Array
}

export const createOpusVoiceDecoder = (): OpusVoiceDecoder => {
  const decoder = new Decoder({ channels: 1, sample_rate: heardRateHz })
  const concealment = createLossConcealment()
  return {
    decode(packet) {
      try {
        const bytes = decoder.decode(packet)
        // A copy: the library may use that memory again.
        return concealment.heard(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1).slice())
      } catch {
        return undefined
      }
    },
    conceal: concealment.fill,
  }
}
