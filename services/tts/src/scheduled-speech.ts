import type { PushStream } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'
import type { Tracing } from '@parlance/telemetry'
import { type Engine, ProcessEndedError, type SpeakOptions, type SpeechEvent, type Utterance } from './engine/engine.js'
import type { AdmittedRequest } from './scheduler.js'
import type { SegmentSpeaker } from './synthesis.js'

export interface ScheduledSpeechOptions {
  /** How many processes or workers were lost with the first segment before. */
  readonly endedProcesses: number
  readonly tracing: Pick<Tracing, 'startCall'>
  /** Called at the end of each segment. */
  readonly onEnd: NonNullable<SpeakOptions['onEnd']>
}

/** A segment with which so many processes ended fails for good. */
const maxEndedProcesses = 2

/** The span of one segment in the engine: from when the engine is free for it until its audio is produced. */
const startEngineSpan = (tracing: Pick<Tracing, 'startCall'>, engine: Engine, utterance: Utterance) =>
  tracing.startCall(`text_to_speech ${engine.name}`, {
    attributes: {
      'gen_ai.operation.name': 'text_to_speech',
      'gen_ai.provider.name': engine.name,
      'parlance.voice': utterance.voiceId,
      'parlance.characters': utterance.text.length,
    },
  })

/**
 * Creates a speaker for one request: each segment starts when the scheduler gives it an engine. A segment whose process ended
 * before its first event is spoken once more, and fails for good when a second process ends.
 */
export const createScheduledSpeech = (
  engine: Engine,
  request: AdmittedRequest,
  { endedProcesses, tracing, onEnd }: ScheduledSpeechOptions,
): SegmentSpeaker => {
  const msOf = (event: SpeechEvent) => (event.kind === 'audio' ? (event.pcm.length * 1_000) / engine.sampleRateHz : 0)

  const speakOnce =
    (utterance: Utterance, onStart: () => void): PushStream<SpeechEvent> =>
    async (sink, signal) => {
      const release = await request.engine(signal)
      const span = startEngineSpan(tracing, engine, utterance)
      try {
        const events = engine.speak(utterance, {
          signal,
          onStart,
          onEnd(spoken) {
            // The engine is free when the audio is produced, not when it has been read.
            release()
            span?.setAttribute('parlance.audio_ms', Math.round(spoken.audioMs))
            onEnd(spoken)
          },
        })
        for await (const event of events) {
          request.made(msOf(event))
          const room = sink(event)
          if (room !== undefined) await room
        }
      } catch (error) {
        span?.end(error)
        throw error instanceof ServiceError && error.code === 'capacity_exhausted' ? serverIsFull(error) : error
      } finally {
        release()
        span?.end()
      }
    }

  return {
    sampleRateHz: engine.sampleRateHz,
    speak:
      (utterance, onStart): PushStream<SpeechEvent> =>
      async (sink, signal) => {
        let hasBegun = false
        // Only the first segment of a request waits for its first audio.
        let ended = utterance.ahead === true ? 0 : endedProcesses
        for (;;) {
          try {
            return await speakOnce(utterance, onStart)((event) => {
              hasBegun = true
              return sink(event)
            }, signal)
          } catch (error) {
            if (error instanceof ProcessEndedError) {
              ended += 1
              if (ended >= maxEndedProcesses) throw failsForGood(error)
              if (!hasBegun && !signal.aborted) continue
            }
            throw error
          }
        }
      },
  }
}

const failsForGood = (cause: unknown) =>
  new ServiceError('invalid_request', 'text: the speech engine fails on this text. Change it.', { cause })

/** Where the engine's own server has no capacity, no worker has any; the worker has already retried. */
const serverIsFull = ({ code, detail, cause }: ServiceError) =>
  new ServiceError(code, detail, { cause, isUpstream: true })
