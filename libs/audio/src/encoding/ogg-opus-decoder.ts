import { Decoder } from '@evan/opus'
import { concatPcm, pcmFromBytes } from '../index.js'
import { oggPackets } from './ogg-page.js'

const containerRateHz = 48_000

/**
 * Decodes a file of Opus in Ogg with one or two channels, at one of Opus's rates: the samples of each channel, the left one first.
 * Throws `Error` for other files.
 */
export const decodeOggOpus = (file: Uint8Array, sampleRateHz: 16_000 | 24_000 | 48_000): readonly Int16Array[] => {
  const { packets, granulePosition } = oggPackets(file)
  const [head, , ...audio] = packets
  if (head === undefined || Buffer.from(head.subarray(0, 8)).toString('latin1') !== 'OpusHead' || head.length < 19) {
    throw new Error('Not Opus in Ogg')
  }
  const channels = head[9]!
  if (channels !== 1 && channels !== 2) throw new Error(`Opus with ${channels} channels`)
  const preSkip = new DataView(head.buffer, head.byteOffset).getUint16(10, true)
  const decoder = new Decoder({ channels, sample_rate: sampleRateHz })
  const interleaved = concatPcm(audio.map((packet) => pcmFromBytes(decoder.decode(packet))))
  const perContainerSample = sampleRateHz / containerRateHz
  const first = Math.round(preSkip * perContainerSample)
  const end = Math.min(Math.round(granulePosition * perContainerSample), interleaved.length / channels)
  return Array.from({ length: channels }, (_, channel) =>
    Int16Array.from({ length: Math.max(0, end - first) }, (_, at) => interleaved[(first + at) * channels + channel]!),
  )
}
