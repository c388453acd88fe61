import { Decoder } from '@evan/opus'
import { heardRateHz } from '../transport.js'

const fadeOutMs = 60
const repeatedSamples = 0.02 * heardRateHz
const fadeOutSamples = (fadeOutMs / 1000) * heardRateHz

/** Decodes one stream of Opus to mono PCM at 16 kHz, and makes up what is missing of it. */
export interface OpusVoiceDecoder {
  /** Undefined for a packet that is none. */
  decode(packet: Uint8Array): Int16Array | undefined
  /** So many samples at 16 kHz of what was heard last, over and over, which fade to silence within 60 ms. */
  conceal(samples: number): Int16Array
}

export const createOpusVoiceDecoder = (): OpusVoiceDecoder => {
  const decoder = new Decoder({ channels: 1, sample_rate: heardRateHz })
  let last = new Int16Array(repeatedSamples)
  /** Made up since the last packet. */
  let concealed = 0

  return {
    decode(packet) {
      let pcm: Int16Array
      try {
        const bytes = decoder.decode(packet)
        pcm = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1).slice()
      } catch {
        return undefined
      }
      if (pcm.length >= repeatedSamples) last = pcm.slice(-repeatedSamples)
      concealed = 0
      return pcm
    },
    conceal(samples) {
      const pcm = new Int16Array(samples)
      for (let at = 0; at < samples && concealed < fadeOutSamples; at++, concealed++) {
        const sample = last[concealed % repeatedSamples] as number
        pcm[at] = Math.round(sample * (1 - concealed / fadeOutSamples))
      }
      return pcm
    },
  }
}
