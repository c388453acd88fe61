import type { SpeechPurpose, SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { Metrics } from '@parlance/telemetry'
import type { Engine } from './engine/engine.js'
import type { FatalTexts } from './fatal-texts.js'
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
  /** Requests that may wait. */
  readonly queueLimit: number
  readonly metrics: LaneMetrics
  readonly fatalTexts: FatalTexts
  /** Called when the lane may have become full, or have room again. */
  readonly onChange: () => void
}

/** An engine of this worker with those who wait for it, which is full or has room whatever the others are. */
export interface Lane {
  readonly engine: Engine
  /** Whether a request would begin soon, in the order of the time that one segment takes. */
  hasRoom(): boolean
  /** From now on nobody is admitted. */
  drain(): void
  /**
   * At once, or throws `capacity_exhausted`, `draining`, or `rate_limited` for a workspace whose texts end processes.
   * `deadlineMs` is what is left of the caller's time.
   */
  admit(request: SynthesisRequest, deadlineMs: number): Seat
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

const defaultPurpose: SpeechPurpose = 'one_shot'

export const createLane = ({ engine, queueLimit, metrics, fatalTexts, onChange }: LaneOptions): Lane => {
  const { name } = engine
  const measure = () => {
    metrics.ttsActive(name, scheduler.running())
    metrics.ttsWaiting(name, scheduler.waiting())
  }
  const scheduler = createScheduler({
    engines: engine.capacity,
    queueLimit,
    onTimeout: () => metrics.ttsRefusal(name, 'capacity_exhausted'),
    onChange() {
      measure()
      onChange()
    },
  })
  metrics.ttsCapacity(name, engine.capacity)
  measure()

  const seat = ({ workspace_id, purpose = defaultPurpose }: SynthesisRequest, deadlineMs: number): AdmittedRequest => {
    try {
      return scheduler.admit(workspace_id, { purpose, deadlineMs })
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
    admit(request, deadlineMs) {
      const workspaceId = request.workspace_id
      fatalTexts.checkWorkspace(workspaceId)
      const admitted = seat(request, deadlineMs)
      const inTurn = createSpeechInTurn(engine, admitted, { workspaceId, fatalTexts }, ({ audioMs, engineMs }) => {
        if (audioMs > 0) metrics.ttsRealTimeFactor(name, audioMs / engineMs)
      })
      return {
        speak: (request, voice, options) => seated(admitted, synthesize(inTurn, request, voice, options)),
        leave: admitted.leave,
      }
    },
  }
}
