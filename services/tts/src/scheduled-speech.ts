import type { PushStream } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'
import type { Tracing } from '@parlance/telemetry'
import type { Engine, SpeakOptions, SpeechEvent, Utterance } from './engine/engine.js'
import type { FatalTexts } from './fatal-texts.js'
import type { AdmittedRequest } from './scheduler.js'
import type { SegmentSpeaker } from './synthesis.js'

export interface ScheduledSpeechOptions {
  readonly workspaceId: string
  readonly fatalTexts: FatalTexts
  readonly tracing: Pick<Tracing, 'startCall'>
  /** Called at the end of each segment. */
  readonly onEnd: NonNullable<SpeakOptions['onEnd']>
}

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
 * Creates a speaker for one request: each segment starts when the scheduler admits it. A text that `fatalTexts` contains is not
 * spoken. It is looked up again after the wait, since it may have been added meanwhile.
 */
export const createScheduledSpeech = (
  engine: Engine,
  request: AdmittedRequest,
  { workspaceId, fatalTexts, tracing, onEnd }: ScheduledSpeechOptions,
): SegmentSpeaker => ({
  sampleRateHz: engine.sampleRateHz,
  speak:
    (utterance, onStart): PushStream<SpeechEvent> =>
    async (sink, signal) => {
      const { text, ahead = false } = utterance
      const check = () => {
        // A speech that has begun is spoken to its end.
        if (!ahead) fatalTexts.checkWorkspace(workspaceId)
        fatalTexts.checkText(engine.name, text)
      }
      check()
      const release = await request.engine(signal)
      const span = startEngineSpan(tracing, engine, utterance)
      try {
        check()
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
          const room = sink(event)
          if (room !== undefined) await room
        }
      } catch (error) {
        span?.end(error)
        fatalTexts.onFailure(error, { engine: engine.name, workspaceId, text })
        throw error instanceof ServiceError ? engineFailure(error) : error
      } finally {
        release()
        span?.end()
      }
    },
})

/** Where the engine's own server has no capacity, no worker has any; the worker has already retried. */
const engineFailure = (error: ServiceError): ServiceError =>
  error.code === 'capacity_exhausted'
    ? new ServiceError(error.code, error.detail, { cause: error.cause, isUpstream: true })
    : error
