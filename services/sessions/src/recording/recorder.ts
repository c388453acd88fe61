/**
 * Records one conversation, from its start to its end.
 *
 * - The audio begins when the client is ready. Every 20 ms of the conversation are 20 ms of the recording.
 * - Nothing here delays the conversation, and no failure reaches it: a recording that fails is marked as failed.
 */
import { retry } from '@parlance/async'
import { createOggOpusEncoder } from '@parlance/audio/encoding'
import type { SessionMessage } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { AudioTap, TappedFrames } from '../media/audio-tap.js'
import { frameMs, sentRateHz } from '../media/transport.js'
import { createTwoChannelFrames } from '../media/two-channel-frames.js'
import { createMessagePositions } from './message-positions.js'
import type { NewRecording, RecordingRepository } from './recording-repository.js'
import { type RecordingStorage, recordingKey } from './storage/recording-storage.js'
import { type StoredAudio, storeAudio } from './stored-audio.js'

/** Below this rate Opus mixes one channel into the other: measured, 16 dB at 24 kbit/s and more than 60 dB at 40 kbit/s apart. */
const bitRate = 40_000

/** Encodes both sides of a conversation as Opus in Ogg: the user on the left channel, the agent on the right. */
interface TwoChannelEncoder {
  /** The bytes that are ready after these 20 ms. */
  encode(frames: TappedFrames): Uint8Array
  /** The rest of the bytes. */
  finish(): Uint8Array
}

const createTwoChannelEncoder = (): TwoChannelEncoder => {
  const encoder = createOggOpusEncoder({ sampleRateHz: sentRateHz, bitRate, channels: 2 })
  const join = createTwoChannelFrames()
  return { encode: (frames) => encoder.encode(join(frames)), finish: encoder.finish }
}

/** Postgres may be away for a moment. */
const finishing = { backoff: { firstMs: 250, maxMs: 4_000 }, maxAttempts: 6 }

export interface Recorder {
  /** The conversation has started. */
  start(audioTap: Pick<AudioTap, 'listen'>): void
  /** A final message, which began so long ago: the user's with the voice, the agent's with the request to the model. */
  message(message: Pick<SessionMessage, 'id' | 'role'>, begunAgoMs: number): void
  /** The conversation has ended. Resolves when the recording is stored or marked as failed. Never rejects. */
  finish(): Promise<void>
}

export interface RecorderOptions {
  readonly recording: NewRecording
  readonly recordings: Pick<RecordingRepository, 'create' | 'finish' | 'fail'>
  readonly storage: Pick<RecordingStorage, 'create'>
  readonly logger: Logger
}

export interface SkippedRecorderOptions extends Pick<RecorderOptions, 'recording' | 'logger'> {
  readonly recordings: Pick<RecordingRepository, 'skip'>
  /** One sentence for members. */
  readonly reason: string
}

/** For a conversation that is not recorded: stores the reason when it has started. */
export const createSkippedRecorder = ({ recording, recordings, reason, logger }: SkippedRecorderOptions): Recorder => {
  let skipped: Promise<void> | undefined
  return {
    start() {
      skipped ??= recordings.skip(recording, reason).catch((err: unknown) => {
        const { sessionId } = recording
        logger.warn({ sessionId, err }, 'The reason why a conversation is not recorded could not be stored')
      })
    },
    message() {},
    finish: async () => skipped,
  }
}

export const createRecorder = ({ recording, recordings, storage, logger }: RecorderOptions): Recorder => {
  const { workspaceId, sessionId } = recording
  const positions = createMessagePositions()
  let frames = 0
  let audio: StoredAudio | undefined
  let stop = (): Uint8Array => new Uint8Array(0)

  const markFailed = (failure: string): Promise<void> =>
    recordings.fail(workspaceId, sessionId, failure).catch((err: unknown) => {
      logger.warn({ sessionId, err }, 'A recording could not be marked as failed; it is found later')
    })

  const onFailed = (err: unknown): void => {
    stop()
    logger.warn({ workspaceId, sessionId, err }, 'A recording ended, since its audio could not be stored')
    void markFailed('The audio could not be stored.')
  }

  const start = (audioTap: Pick<AudioTap, 'listen'>): void => {
    const encoder = createTwoChannelEncoder()
    const stored = storeAudio({
      storage,
      key: recordingKey(workspaceId, sessionId),
      begun: recordings.create(recording),
      onFailed,
    })
    audio = stored
    const leave = audioTap.listen((pair: TappedFrames) => {
      positions.frame(frames * frameMs, pair.agent !== undefined)
      frames += 1
      stored.push(encoder.encode(pair))
    })
    stop = () => {
      leave()
      stop = () => new Uint8Array(0)
      return encoder.finish()
    }
  }

  const store = async (stored: StoredAudio): Promise<void> => {
    stored.push(stop())
    const sizeBytes = await stored.finish()
    if (sizeBytes === undefined) return
    const finished = { durationMs: frames * frameMs, sizeBytes, positions: positions.all() }
    await retry(() => recordings.finish(workspaceId, sessionId, finished), finishing)
  }

  return {
    start(audioTap) {
      if (audio === undefined) start(audioTap)
    },
    message(message, begunAgoMs) {
      if (audio !== undefined) positions.message(message, Math.max(0, frames * frameMs - begunAgoMs))
    },
    async finish() {
      if (audio === undefined) return
      await store(audio).catch((err: unknown) => {
        logger.warn({ workspaceId, sessionId, err }, 'A recording was stored, and could not be marked as stored')
        return markFailed('The end of the recording could not be written.')
      })
    },
  }
}
