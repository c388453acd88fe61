import type { AudioOutput } from '@parlance/contracts'
import { msToSamples, samplesToMs } from './pcm.js'
import { wavHeaderBytes } from './wav.js'

/**
 * Joins the bytes of one encoder to those of another that was lost before its end, so that a player takes both for one
 * audio.
 */
export interface AudioJoin {
  /** Follows bytes that were sent. */
  sent(bytes: Uint8Array): void
  /** The next bytes come from another encoder. */
  beginNext(): void
  /** Returns what to send for these bytes of the current encoder. */
  join(bytes: Uint8Array): Uint8Array
}

/** How the audio of a format is continued by another encoder. */
interface JoinableAudio {
  /**
   * How much of the latest audio the encoder may hold back, in ms. The audio is complete after a join only where that much
   * silence was encoded before it.
   */
  readonly encoderLagMs: number
  /** The bytes of a sample, in formats of plain samples: their audio can be cut between any two. */
  readonly sampleBytes?: number
  /** Each byte of silence, in formats whose pieces can be concatenated. */
  readonly silentByte?: number
  createJoin(): AudioJoin
}

/** Undefined for formats whose encoders cannot be replaced in the middle. */
export const joinableAudio = ({ format }: Pick<AudioOutput, 'format'>): JoinableAudio | undefined => joinable[format]

const plainSamples = (sampleBytes: number, silentByte: number): JoinableAudio => ({
  encoderLagMs: 0,
  sampleBytes,
  silentByte,
  createJoin: () => ({ sent: () => {}, beginNext: () => {}, join: (bytes) => bytes }),
})

/** Drops the headers of all encoders but the first. */
const wav: JoinableAudio = {
  encoderLagMs: 0,
  sampleBytes: 2,
  createJoin() {
    let headerBytesLeft = 0
    return {
      sent: () => {},
      beginNext() {
        headerBytesLeft = wavHeaderBytes
      },
      join(bytes) {
        const rest = bytes.subarray(headerBytesLeft)
        headerBytesLeft -= bytes.length - rest.length
        return rest
      },
    }
  },
}

/** Completes the last frame. The next encoder begins with a new frame, which does not depend on earlier ones. */
const mp3: JoinableAudio = {
  encoderLagMs: 100,
  createJoin() {
    const walk = createMp3FrameWalk()
    let begins = false
    return {
      sent: walk.add,
      beginNext() {
        begins = true
      },
      join(bytes) {
        if (!begins || bytes.length === 0) return bytes
        begins = false
        return Buffer.concat([new Uint8Array(walk.missingBytes()), bytes])
      },
    }
  },
}

const joinable: Partial<Record<AudioOutput['format'], JoinableAudio>> = {
  pcm_s16le: plainSamples(2, 0),
  ulaw: plainSamples(1, 0xff),
  alaw: plainSamples(1, 0xd5),
  wav,
  mp3,
}

interface SilentAudio {
  readonly bytes: Uint8Array
  /** The duration of a whole number of samples, nearest to the wanted duration. */
  readonly durationMs: number
}

/** Silence of `wantedMs` in the format of `output`. Undefined for formats whose pieces cannot be concatenated. */
export const silentAudio = (
  { format, sample_rate }: Pick<AudioOutput, 'format' | 'sample_rate'>,
  wantedMs: number,
): SilentAudio | undefined => {
  const { sampleBytes, silentByte } = joinable[format] ?? {}
  if (sampleBytes === undefined || silentByte === undefined) return undefined
  const samples = msToSamples(wantedMs, sample_rate)
  const bytes = new Uint8Array(samples * sampleBytes).fill(silentByte)
  return { bytes, durationMs: samplesToMs(samples, sample_rate) }
}

/** Finds where the frames of an MP3 stream of layer III lie, as its bytes come. */
interface Mp3FrameWalk {
  add(bytes: Uint8Array): void
  /** The number of bytes that the last frame still lacks. */
  missingBytes(): number
}

const headerBytes = 4
/** In kbit/s, by the index in the header: of MPEG 1, and of MPEG 2 and 2.5. */
const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const mpeg1SampleRatesHz = [44_100, 48_000, 32_000] as const

/** The length of the frame with this header, which begins with its synchronization word. */
const frameBytes = (header: Uint8Array): number => {
  const [, version = 0, rates = 0] = header
  const isMpeg1 = (version & 0x18) === 0x18
  const isMpeg25 = (version & 0x18) === 0
  const bitRate = bitRates[isMpeg1 ? 'mpeg1' : 'mpeg2'][rates >> 4] ?? 0
  const divisor = isMpeg1 ? 1 : isMpeg25 ? 4 : 2
  const sampleRateHz = (mpeg1SampleRatesHz[(rates >> 2) & 3] ?? 0) / divisor
  const padding = (rates >> 1) & 1
  return Math.floor(((isMpeg1 ? 144 : 72) * bitRate * 1000) / sampleRateHz) + padding
}

const createMp3FrameWalk = (): Mp3FrameWalk => {
  const header = new Uint8Array(headerBytes)
  let headerFill = 0
  /** The bytes of the current frame after its header. */
  let bodyBytesLeft = 0

  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (bodyBytesLeft > 0) {
          const body = Math.min(bodyBytesLeft, bytes.length - at)
          bodyBytesLeft -= body
          at += body
          continue
        }
        header[headerFill] = bytes[at]!
        headerFill += 1
        at += 1
        if (headerFill < headerBytes) continue
        headerFill = 0
        bodyBytesLeft = frameBytes(header) - headerBytes
      }
    },
    missingBytes: () => bodyBytesLeft,
  }
}
