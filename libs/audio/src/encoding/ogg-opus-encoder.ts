import { Encoder } from '@evan/opus'
import { concatBytes } from '../index.js'
import type { AudioEncoder } from './audio-encoder.js'
import { createOggPageWriter } from './ogg-page.js'

/**
 * Opus in Ogg (RFC 7845), in packets of 20 ms.
 *
 * - The clock of the container is 48 kHz at every rate of the encoder. Granule positions count its samples.
 * - The first packets contain the encoder's lookahead, which players drop because of the header's pre-skip.
 * - At the end, silence is encoded until all audio has left the lookahead. The granule position of the last page is the end
 *   of the audio, so players drop that silence.
 * - Pages grow: the first contains 40 ms of audio, for a quick start, and later ones 200 ms, for a small overhead.
 */

const containerRateHz = 48000
const packetsPerSecond = 50
const containerSamplesPerPacket = containerRateHz / packetsPerSecond
const firstPagePackets = 2
const laterPagePackets = 10

/**
 * From 0 to 10. With the application "audio", which uses the cheaper codec of Opus except at low bit rates, 5 is the
 * highest value without the analysis of the signal, which costs several times as much.
 */
const complexity = 5

/** OPUS_GET_LOOKAHEAD_REQUEST: samples, at the encoder's rate. */
const opusGetLookahead = 4027

const opusRatesHz = [8000, 12000, 16000, 24000, 48000] as const
type OpusRateHz = (typeof opusRatesHz)[number]

/** The lowest rate of Opus that keeps all frequencies of the input: fewer samples cost less CPU. */
export const opusSampleRateHz = (inputSampleRateHz: number): OpusRateHz =>
  opusRatesHz.find((rate) => rate >= inputSampleRateHz) ?? containerRateHz

interface OggOpusOptions {
  readonly sampleRateHz: number
  /** The mean in bits per second of all channels; packets vary in size. */
  readonly bitRate: number
  /** Default: 1. The samples of two channels are interleaved, the left channel first. */
  readonly channels?: 1 | 2
}

/** Creates an encoder of PCM at one of Opus's rates. */
export const createOggOpusEncoder = ({ channels = 1, ...options }: OggOpusOptions): AudioEncoder => {
  const sampleRateHz = opusSampleRateHz(options.sampleRateHz)
  const opus = new Encoder({ channels, sample_rate: sampleRateHz, application: 'audio' })
  opus.bitrate = options.bitRate
  opus.complexity = complexity
  const lookaheadSamples = opus.ctl(opusGetLookahead)
  const toContainerSamples = containerRateHz / sampleRateHz
  const preSkip = lookaheadSamples * toContainerSamples

  const packetSamples = sampleRateHz / packetsPerSecond
  const frame = new Int16Array(packetSamples * channels)
  let frameFill = 0
  let samplesIn = 0
  let packets: Uint8Array[] = []
  let packetCount = 0
  let pagePackets = firstPagePackets
  // The header pages are returned with the first audio, so that the first bytes mean that there is audio.
  const writePage = createOggPageWriter(1)
  let pages = [
    writePage({ packets: [opusHead(channels, preSkip, options.sampleRateHz)], granulePosition: 0, position: 'first' }),
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
      samplesIn += pcm.length / channels
      for (let at = 0; at < pcm.length; ) {
        const part = pcm.subarray(at, at + frame.length - frameFill)
        frame.set(part, frameFill)
        frameFill += part.length
        at += part.length
        if (frameFill < frame.length) break
        encodeFrame()
        if (packets.length === pagePackets) flushPage('inner', packetCount * containerSamplesPerPacket)
      }
      return packetCount < firstPagePackets ? new Uint8Array(0) : takePages()
    },
    finish: () => {
      // The lookahead delays samples, so at least one packet is made here, and the last page is never empty.
      while (packetCount * packetSamples < samplesIn + lookaheadSamples) {
        frame.fill(0, frameFill)
        encodeFrame()
      }
      flushPage('last', preSkip + samplesIn * toContainerSamples)
      return takePages()
    },
  }
}

/** The identification header: version 1, no gain, channel mapping family 0. `inputRateHz` is for information. */
const opusHead = (channels: number, preSkip: number, inputRateHz: number): Uint8Array => {
  const packet = new Uint8Array(19)
  packet.set(ascii('OpusHead'))
  const view = new DataView(packet.buffer)
  view.setUint8(8, 1)
  view.setUint8(9, channels)
  view.setUint16(10, preSkip, true)
  view.setUint32(12, inputRateHz, true)
  return packet
}

/** The comment header: the vendor, and no comments. */
const opusTags = (): Uint8Array => {
  const vendor = ascii('parlance')
  const packet = new Uint8Array(8 + 4 + vendor.length + 4)
  packet.set(ascii('OpusTags'))
  new DataView(packet.buffer).setUint32(8, vendor.length, true)
  packet.set(vendor, 12)
  return packet
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
