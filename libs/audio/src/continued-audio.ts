import type { AudioOutput } from '@parlance/contracts'
import { createMp3FrameWalk } from './mp3-frames.js'
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
export interface JoinableAudio {
  /**
   * How much of the latest audio the encoder may hold back, in ms. The audio is complete after a join only where that much
   * silence was encoded before it.
   */
  readonly encoderLagMs: number
  /** The bytes of a sample, in formats of plain samples: their audio can be cut between any two. */
  readonly sampleBytes?: number
  createJoin(): AudioJoin
}

/** Undefined for formats whose encoders cannot be replaced in the middle. */
export const joinableAudio = ({ format }: Pick<AudioOutput, 'format'>): JoinableAudio | undefined => joinable[format]

const plainSamples = (sampleBytes: number): JoinableAudio => ({
  encoderLagMs: 0,
  sampleBytes,
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
  pcm_s16le: plainSamples(2),
  ulaw: plainSamples(1),
  alaw: plainSamples(1),
  wav,
  mp3,
}
