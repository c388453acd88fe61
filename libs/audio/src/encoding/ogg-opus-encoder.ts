import { Encoder } from '@evan/opus'
import { concatBytes } from '../index.js'
import type { AudioEncoder } from './audio-encoder.js'
import { createOggPageWriter } from './ogg-page.js'

/**
 * Opus in Ogg (RFC 7845), in packets of 20 ms.
 *
 * - The clock of the container is 48 kHz, whatever rate the encoder is fed at; granule positions count its samples.
 * - The encoder's lookahead comes out first. The header's pre-skip tells players to drop it.
 * - Silence is fed at the end until the lookahead has pushed out all audio, and the granule position of the last page
 *   says where the audio ends, so players drop that silence.
 * - Pages grow: the first leaves after 40 ms of audio, later ones hold 200 ms, so that a start is quick and the
 *   overhead small.
 */

const containerRateHz = 48000
const packetsASecond = 50
const containerSamplesAPacket = containerRateHz / packetsASecond
const firstPagePackets = 2
const laterPagePackets = 10

/**
 * Of 0 to 10. With "audio" as the application, which takes the cheap half of Opus for all but low bit rates, 5 is the
 * last step before the analysis of the signal sets in, which costs several times as much.
 */
const complexity = 5

/** OPUS_GET_LOOKAHEAD_REQUEST: samples, at the encoder's rate. */
const opusGetLookahead = 4027

const opusRatesHz = [8000, 12000, 16000, 24000, 48000] as const
type OpusRateHz = (typeof opusRatesHz)[number]

/** The lowest rate an Opus encoder takes that keeps all of the input's band: fewer samples cost less time. */
export const opusSampleRateHz = (inputSampleRateHz: number): OpusRateHz =>
  opusRatesHz.find((rate) => rate >= inputSampleRateHz) ?? containerRateHz

/** An encoder of PCM at one of Opus' own rates. `bitRate` in bits per second, as a mean: packets vary in size. */
export const createOggOpusEncoder = (options: { sampleRateHz: number; bitRate: number }): AudioEncoder => {
  const sampleRateHz = opusSampleRateHz(options.sampleRateHz)
  const opus = new Encoder({ channels: 1, sample_rate: sampleRateHz, application: 'audio' })
  opus.bitrate = options.bitRate
  opus.complexity = complexity
  const lookaheadSamples = opus.ctl(opusGetLookahead)
  const toContainerSamples = containerRateHz / sampleRateHz
  const preSkip = lookaheadSamples * toContainerSamples

  const frame = new Int16Array(sampleRateHz / packetsASecond)
  let frameFill = 0
  let samplesIn = 0
  let packets: Uint8Array[] = []
  let packetCount = 0
  let pagePackets = firstPagePackets
  // The header pages are held back until audio exists: bytes that leave mean sound.
  const writePage = createOggPageWriter(1)
  let pages = [
    writePage({ packets: [opusHead(preSkip, options.sampleRateHz)], granulePosition: 0, position: 'first' }),
    writePage({ packets: [opusTags()], granulePosition: 0, position: 'inner' }),
  ]

  const encodeFrame = (): void => {
    packets.push(opus.encode(frame))
    packetCount++
    frameFill = 0
  }

  const flushPage = (position: 'inner' | 'last', granulePosition: number): void => {
    pages.push(writePage({ packets, granulePosition, position }))
    packets = []
    pagePackets = Math.min(pagePackets * 2, laterPagePackets)
  }

  const takePages = (): Uint8Array => {
    const bytes = concatBytes(pages)
    pages = []
    return bytes
  }

  return {
    encode: (pcm) => {
      samplesIn += pcm.length
      for (let at = 0; at < pcm.length; ) {
        const part = pcm.subarray(at, at + frame.length - frameFill)
        frame.set(part, frameFill)
        frameFill += part.length
        at += part.length
        if (frameFill < frame.length) break
        encodeFrame()
        if (packets.length === pagePackets) flushPage('inner', packetCount * containerSamplesAPacket)
      }
      return packetCount < firstPagePackets ? new Uint8Array(0) : takePages()
    },
    finish: () => {
      // At least one packet is made here, since the lookahead holds samples back: the last page is never empty.
      while (packetCount * frame.length < samplesIn + lookaheadSamples) {
        frame.fill(0, frameFill)
        encodeFrame()
      }
      flushPage('last', preSkip + samplesIn * toContainerSamples)
      return takePages()
    },
  }
}

/** The identification header: version 1, one channel, no gain, no channel mapping. `inputRateHz` is for information. */
const opusHead = (preSkip: number, inputRateHz: number): Uint8Array => {
  const packet = new Uint8Array(19)
  packet.set(ascii('OpusHead'))
  const view = new DataView(packet.buffer)
  view.setUint8(8, 1)
  view.setUint8(9, 1)
  view.setUint16(10, preSkip, true)
  view.setUint32(12, inputRateHz, true)
  return packet
}

/** The comment header: who wrote it, and no comments. */
const opusTags = (): Uint8Array => {
  const vendor = ascii('parlance')
  const packet = new Uint8Array(8 + 4 + vendor.length + 4)
  packet.set(ascii('OpusTags'))
  new DataView(packet.buffer).setUint32(8, vendor.length, true)
  packet.set(vendor, 12)
  return packet
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
