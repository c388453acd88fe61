import type { PushStream } from '@parlance/async/push-stream'
import type { SpeechPurpose, SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { Metrics, Tracing } from '@parlance/telemetry'
import type { Engine } from './engine/engine.js'
import type { RequestedVoice } from './requested-voice.js'
import { createScheduledSpeech } from './scheduled-speech.js'
import { type AdmittedRequest, Scheduler } from './scheduler.js'
import { synthesize } from './synthesis.js'

type LaneMetrics = Pick<
  Metrics,
  | 'engineAdded'
  | 'ttsActive'
  | 'ttsAudio'
  | 'ttsCapacity'
  | 'ttsQueueTime'
  | 'ttsRealTimeFactor'
  | 'ttsRefusal'
  | 'ttsTimeToFirstAudio'
  | 'ttsWaiting'
>

export interface LaneOptions {
  readonly engine: Engine
  /** Requests that may wait. */
  readonly queueLimit: number
  readonly metrics: LaneMetrics
  readonly tracing: Pick<Tracing, 'startCall'>
  /** Called when the lane may have reached its capacity or fallen below it. */
  readonly onChange: () => void
}

/** An engine of this worker with the requests that wait for it. Whether it is full depends on no other engine. */
export interface Lane {
  readonly engine: Engine
  /** Whether its queue admits no request. */
  isFull(): boolean
  /** Whether a request would begin soon, in the order of the time that one segment takes. */
  hasRoom(): boolean
  /** From now on no request is admitted. */
  drain(): void
  /** Admits the request at once, or throws `capacity_exhausted` or `draining`. `deadlineMs` is the time left until the caller's deadline. */
  admit(request: SynthesisRequest, deadlineMs: number): SpeechPermit
}

/** An admitted request: the engine speaks it, or it waits for the engine. */
export interface SpeechPermit {
  /** Speaks, once, and releases the permit. `acceptedMs` is when the request came, on the clock of `performance`. */
  speak(request: SynthesisRequest, voice: RequestedVoice, options: { acceptedMs: number }): PushStream<SynthesisChunk>
  /** Only the first call has an effect. */
  release(): void
}

const defaultPurpose: SpeechPurpose = 'one_shot'

export const createLane = ({ engine, queueLimit, metrics, tracing, onChange }: LaneOptions): Lane => {
  const { name } = engine
  const measure = () => {
    metrics.ttsActive(name, scheduler.running())
    metrics.ttsWaiting(name, scheduler.waiting())
  }
  const scheduler = new Scheduler({
    engines: engine.capacity,
    queueLimit,
    onTimeout: () => metrics.ttsRefusal(name, 'capacity_exhausted'),
    onChange() {
      measure()
      onChange()
    },
  })
  metrics.engineAdded(name)
  metrics.ttsCapacity(name, engine.capacity)
  measure()

  const admit = (request: SynthesisRequest, deadlineMs: number): AdmittedRequest => {
    const { workspace_id: workspaceId, purpose = defaultPurpose, ahead_ms: aheadMs } = request
    try {
      return scheduler.admit({ workspaceId, purpose, deadlineMs, aheadMs })
    } catch (error) {
      if (error instanceof ServiceError) metrics.ttsRefusal(name, error.code)
      throw error
    }
  }

  const observe = (chunk: SynthesisChunk): void => {
    if (chunk.event === 'started') {
      metrics.ttsQueueTime(name, chunk.queue_ms / 1000)
      metrics.ttsTimeToFirstAudio(name, chunk.ttfa_ms / 1000)
    } else if (chunk.event === 'audio') {
      metrics.ttsAudio(name, chunk.duration_ms / 1000)
    }
  }

  return {
    engine,
    isFull: () => scheduler.isFull(),
    hasRoom: () => scheduler.hasRoom(),
    drain: () => scheduler.drain(),
    admit(request, deadlineMs) {
      const admitted = admit(request, deadlineMs)
      const scheduled = createScheduledSpeech(engine, admitted, {
        endedProcesses: request.ended_processes ?? 0,
        tracing,
        onEnd({ audioMs, engineMs }) {
          if (audioMs > 0) metrics.ttsRealTimeFactor(name, audioMs / engineMs)
        },
      })
      return {
        speak: (request, voice, options) => async (sink, signal) => {
          const speech = synthesize(scheduled, request, voice, options)
          try {
            await speech((chunk) => {
              observe(chunk)
              return sink(chunk)
            }, signal)
          } finally {
            admitted.leave()
          }
        },
        release: admitted.leave,
      }
    },
  }
}
