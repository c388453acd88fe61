/** The audio formats of OpenAI's Realtime protocol, and the pace at which a conversation takes audio. */
import { alawToPcm, pcmFromBytes, pcmToAlaw, pcmToUlaw, ulawToPcm } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import type { RealtimeAudioFormat } from '@parlance/contracts'
import { frameMs, sentRateHz } from '../media/transport.js'
import { createAudioConverter } from '../media/websocket/websocket-transport.js'
import { invalid, ProtocolError } from './realtime-events.js'

const telephoneRateHz = 8_000
export const pcmFormat: RealtimeAudioFormat = { type: 'audio/pcm', rate: 24_000 }

/** Converts audio of a client into frames of 20 ms at 16 kHz. Half a sample at the end of a chunk waits for the next. */
export const createInputDecoder = ({ type }: RealtimeAudioFormat): ((bytes: Uint8Array) => Int16Array[]) => {
  if (type !== 'audio/pcm') {
    const toFrames = createAudioConverter(telephoneRateHz)
    const toPcm = type === 'audio/pcmu' ? ulawToPcm : alawToPcm
    return (bytes) => toFrames(toPcm(bytes))
  }
  const toFrames = createAudioConverter(sentRateHz)
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const all = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
    const even = all.length - (all.length % 2)
    rest = all.subarray(even)
    return toFrames(pcmFromBytes(all.subarray(0, even)))
  }
}

/** Converts frames of the agent into the bytes that a client asked for. */
export const createOutputEncoder = ({ type }: RealtimeAudioFormat): ((frame: Int16Array) => Uint8Array) => {
  if (type === 'audio/pcm') return (frame) => Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
  const resampler = createResampler({ fromHz: sentRateHz, toHz: telephoneRateHz })
  const encode = type === 'audio/pcmu' ? pcmToUlaw : pcmToAlaw
  return (frame) => encode(resampler.resample(frame))
}

/** How far ahead of real time frames may be. A client sends a few of them at once. */
const aheadMs = 200
const maxWaitingFrames = 180_000 / frameMs
/** A client that commits its audio itself may send it all the time. */
const maxBufferedFrames = 120_000 / frameMs
const minCommittedFrames = 100 / frameMs

/**
 * The audio of the client. While it is `passing`, it goes to `onFrame` in real time, also where a client sends faster, as turns are decided
 * by the clock. While it is `buffering`, it waits until the client commits it.
 */
export const createAudioInput = (onFrame: (frame: Int16Array) => void) => {
  let state: 'passing' | 'buffering' = 'passing'
  let decode = createInputDecoder(pcmFormat)
  let frames: Int16Array[] = []
  let dueMs = 0
  let timer: NodeJS.Timeout | undefined
  let receivedMs = 0
  let isFlooded = false

  const clear = (): void => {
    clearTimeout(timer)
    frames = []
  }

  const pass = (frame: Int16Array): void => {
    receivedMs += frameMs
    onFrame(frame)
  }

  const passDue = (): void => {
    clearTimeout(timer)
    for (let frame = frames[0]; frame !== undefined && state === 'passing'; frame = frames[0]) {
      const nowMs = performance.now()
      dueMs = Math.max(dueMs, nowMs)
      if (dueMs > nowMs + aheadMs) {
        timer = setTimeout(passDue, frameMs)
        return
      }
      frames.shift()
      dueMs += frameMs
      pass(frame)
    }
  }

  const buffer = (frame: Int16Array): void => {
    receivedMs += frameMs
    frames.push(frame)
    if (frames.length > maxBufferedFrames) frames.shift()
  }

  return {
    clear,
    /** How much audio was passed on or buffered. */
    receivedMs: () => receivedMs,
    isBuffering: () => state === 'buffering',
    use(format: RealtimeAudioFormat) {
      decode = createInputDecoder(format)
    },
    /** Drops the audio that waits. */
    enter(next: typeof state) {
      clear()
      state = next
    },
    /** 20 ms of a track, which come in real time. */
    appendFrame: (frame: Int16Array): void => (state === 'passing' ? pass(frame) : buffer(frame)),
    /** Audio of any length, as fast as it comes. Throws `invalid_request` the first time that too much of it waits. */
    append(bytes: Uint8Array) {
      const decoded = decode(bytes)
      if (state === 'buffering') return decoded.forEach(buffer)
      const taken = decoded.slice(0, maxWaitingFrames - frames.length)
      frames.push(...taken)
      passDue()
      if (taken.length === decoded.length || isFlooded) return
      isFlooded = true
      throw invalid('audio: more than 3 minutes wait to be recognized, so the rest is dropped')
    },
    /** The buffer, which is empty afterwards. Throws for one that cannot be committed. */
    commit(): readonly Int16Array[] {
      if (state === 'passing') {
        throw invalid('type: the server commits the audio while turn_detection is not null')
      }
      if (frames.length < minCommittedFrames) {
        throw new ProtocolError('input_audio_buffer_commit_empty', 'The buffer has less than 100 ms of audio.')
      }
      const committed = frames
      frames = []
      return committed
    },
  }
}
