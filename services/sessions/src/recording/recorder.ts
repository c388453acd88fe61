/**
 * Records one conversation, from its start to its end.
 *
 * - The audio begins when the client is ready. Every 20 ms of the conversation are 20 ms of the recording.
 * - The recorder never delays the conversation, and its failures do not affect it: a recording that fails is marked as failed.
 */
import { retry } from '@parlance/async'
import { createOggOpusEncoder } from '@parlance/audio/encoding'
import type { MessagePosition, SessionMessage } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { AudioTap, TappedFrames } from '../media/audio-tap.js'
import { createTwoChannelFrames } from '../media/audio-tap.js'
import { frameMs, sentRateHz } from '../media/transport.js'
import type { NewRecording, RecordingRepository } from './recording-repository.js'
import { type RecordingStorage, recordingKey } from './storage/recording-storage.js'
import { type StoredAudio, storeAudio } from './stored-audio.js'

/** Where in the audio of a recording the messages of its conversation begin. */
export const createMessagePositions = () => {
  const positions: MessagePosition[] = []
  /** The agent's speech since its last message. */
  let spans: { readonly startMs: number; endMs: number }[] = []

  const agentStartMs = (begunMs: number): number => {
    const first = spans.find(({ endMs }) => endMs > begunMs)
    spans = []
    return first === undefined ? begunMs : Math.max(first.startMs, begunMs)
  }

  return {
    /** Takes the next 20 ms, which begin at `atMs`. */
    frame(atMs: number, isAgentSpeaking: boolean) {
      if (!isAgentSpeaking) return
      const last = spans.at(-1)
      if (last?.endMs === atMs) last.endMs = atMs + frameMs
      else spans.push({ startMs: atMs, endMs: atMs + frameMs })
    },
    /**
     * Takes a final message. `begunMs` is when the user's voice began, or when the agent's reply was requested: the reply is at the
     * first speech after that.
     */
    message({ id, role }: Pick<SessionMessage, 'id' | 'role'>, begunMs: number) {
      const startMs = role === 'agent' ? agentStartMs(begunMs) : begunMs
      positions.push({ message_id: id, start_ms: Math.round(startMs) })
    },
    all: (): readonly MessagePosition[] => positions,
  }
}

/** Opus mixes the channels at lower rates: their measured separation is 16 dB at 24 kbit/s and more than 60 dB at 40 kbit/s. */
const bitRate = 40_000

/** Postgres may be unreachable for a moment. */
const finishing = { backoff: { firstMs: 250, maxMs: 4_000 }, maxAttempts: 6 }

export interface Recorder {
  /** To be called when the conversation has started. */
  start(audioTap: Pick<AudioTap, 'listen'>): void
  /** Takes a final message, which began `begunAgoMs` ago: the user's with the voice, the agent's with the request to the model. */
  message(message: Pick<SessionMessage, 'id' | 'role'>, begunAgoMs: number): void
  /** To be called at the end of the conversation. Resolves when the recording is stored or marked as failed. Never rejects. */
  finish(): Promise<void>
}

interface RecorderOptions {
  readonly recording: NewRecording
  readonly recordings: Pick<RecordingRepository, 'create' | 'finish' | 'fail'>
  readonly storage: Pick<RecordingStorage, 'create'>
  readonly logger: Logger
}

interface SkippedRecorderOptions extends Pick<RecorderOptions, 'recording' | 'logger'> {
  readonly recordings: Pick<RecordingRepository, 'skip'>
  /** One sentence for members. */
  readonly reason: string
}

/** For a conversation that is not recorded: stores the reason when the conversation has started. */
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
    const encoder = createOggOpusEncoder({ sampleRateHz: sentRateHz, bitRate, channels: 2 })
    const joinFrames = createTwoChannelFrames()
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
      stored.push(encoder.encode(joinFrames(pair)))
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
