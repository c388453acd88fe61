import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { Metrics } from '@parlance/telemetry'
import type { Engine } from './engine/engine.js'
import type { RequestedVoice } from './requested-voice.js'
import { type AdmittedRequest, createScheduler } from './scheduler.js'
import { createSpeechInTurn } from './speech-in-turn.js'
import { synthesize } from './synthesis.js'

type LaneMetrics = Pick<
  Metrics,
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
  /** Requests that may wait; one for each that can be spoken at once when not given. */
  readonly queueLimit: number | undefined
  readonly metrics: LaneMetrics
  /** Called when the lane may have become full, or have room again. */
  readonly onChange: () => void
}

/** An engine of this worker with those who wait for it, which is full or has room whatever the others are. */
export interface Lane {
  readonly engine: Engine
  /** Whether a request of a workspace that has none here would be taken. */
  hasRoom(): boolean
  /** From now on nobody is admitted. */
  drain(): void
  /** At once, or throws `capacity_exhausted` or `draining`. */
  admit(workspaceId: string): Seat
}

/** A request's place among those that the engine speaks or that wait for it. */
export interface Seat {
  /** Speaks once, and gives the seat back. `acceptedMs` is when the request came, on the clock of `performance`. */
  speak(
    request: SynthesisRequest,
    voice: RequestedVoice,
    options: { signal: AbortSignal; acceptedMs: number },
  ): AsyncGenerator<SynthesisChunk>
  /** Once more does no harm. */
  leave(): void
}

export const createLane = ({ engine, queueLimit, metrics, onChange }: LaneOptions): Lane => {
  const { name } = engine
  const measure = () => {
    metrics.ttsActive(name, scheduler.running())
    metrics.ttsWaiting(name, scheduler.waiting())
  }
  const scheduler = createScheduler({
    engines: engine.capacity,
    queueLimit: queueLimit ?? engine.capacity,
    onChange() {
      measure()
      onChange()
    },
  })
  metrics.ttsCapacity(name, engine.capacity)
  measure()

  const seat = (workspaceId: string): AdmittedRequest => {
    try {
      return scheduler.admit(workspaceId)
    } catch (error) {
      if (error instanceof ServiceError) metrics.ttsRefusal(name, error.code)
      throw error
    }
  }

  async function* seated(admitted: AdmittedRequest, chunks: AsyncIterable<SynthesisChunk>) {
    try {
      for await (const chunk of chunks) {
        if (chunk.event === 'started') {
          metrics.ttsQueueTime(name, chunk.queue_ms / 1000)
          metrics.ttsTimeToFirstAudio(name, chunk.ttfa_ms / 1000)
        } else if (chunk.event === 'audio') {
          metrics.ttsAudio(name, chunk.duration_ms / 1000)
        }
        yield chunk
      }
    } finally {
      admitted.leave()
    }
  }

  return {
    engine,
    hasRoom: scheduler.hasRoom,
    drain: scheduler.drain,
    admit(workspaceId) {
      const admitted = seat(workspaceId)
      const inTurn = createSpeechInTurn(engine, admitted, ({ audioMs, engineMs }) => {
        if (audioMs > 0) metrics.ttsRealTimeFactor(name, audioMs / engineMs)
      })
      return {
        speak: (request, voice, options) => seated(admitted, synthesize(inTurn, request, voice, options)),
        leave: admitted.leave,
      }
    },
  }
}
