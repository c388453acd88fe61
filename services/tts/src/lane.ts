import { sleep } from '@parlance/async'
import type { PushStream } from '@parlance/async/push-stream'
import { createClient, type Handlers, type ServedContract, serve } from '@parlance/bus'
import {
  catalogContract,
  type OfferedVoice,
  queueLaneOf,
  ServiceError,
  type SynthesisChunk,
  type SynthesisRequest,
  ttsContract,
} from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Engine } from './engine/engine.js'
import type { Fallbacks } from './fallbacks.js'
import type { RequestedVoice } from './requested-voice.js'
import { createScheduledSpeech } from './scheduled-speech.js'
import { Scheduler } from './scheduler.js'
import { synthesize } from './synthesis.js'
import { startVoiceOffer, type VoiceOffer } from './voice-offer.js'

interface LaneOptions {
  readonly engine: Engine
  readonly platform: Pick<Platform, 'bus' | 'instanceId' | 'logger' | 'metrics' | 'tracing'>
  /** Requests that may wait. */
  readonly queueLimit: number
  /** The fallbacks as they are now. */
  readonly fallbacks: () => Fallbacks
  /** How long a lane is served after its last request when its engine is removed. Default 12,000. */
  readonly quietMs?: number | undefined
}

/** An admitted request: the engine speaks it, or it waits for the engine. */
export interface SpeechPermit {
  /** Speaks, once, and releases the permit. `acceptedMs` is when the request came, on the clock of `performance`. */
  speak(request: SynthesisRequest, voice: RequestedVoice, options: { acceptedMs: number }): PushStream<SynthesisChunk>
  /** Only the first call has an effect. */
  release(): void
}

/** Callers cache a voice for ten seconds, and may request it for that time after it was withdrawn. */
const defaultQuietMs = 12_000

/**
 * An engine with the requests that wait for it, in its two queue groups. It is in the group of the engine's name, which callers
 * ask first, while a request would start soon, and in the group of the engine's queue until that is full. It is in neither
 * while nothing can be spoken.
 */
export class Lane {
  readonly engine: Engine
  readonly #options: LaneOptions
  readonly #scheduler: Scheduler
  /** What can be spoken in it now. */
  #voices: readonly OfferedVoice[]
  #served: { readonly soon: ServedContract; readonly queued: ServedContract } | undefined
  #offer: VoiceOffer | undefined
  /** The time of the latest request or its progress, on the clock of `performance`. */
  #usedAtMs = performance.now()

  constructor(options: LaneOptions) {
    const { engine, queueLimit, platform } = options
    const { metrics } = platform
    this.engine = engine
    this.#options = options
    this.#voices = this.#speakable()
    this.#scheduler = new Scheduler({
      engines: engine.capacity,
      queueLimit,
      onRefusal: () => metrics.ttsRefusal(engine.name, 'capacity_exhausted'),
      onChange: () => {
        this.#measure()
        this.#usedAtMs = performance.now()
        this.#updateQueueGroups()
      },
    })
    metrics.engineAdded(engine.name)
    metrics.ttsCapacity(engine.name, engine.capacity)
    this.#measure()
  }

  /** Admits the request at once, or throws `capacity_exhausted` or `draining`. `deadlineMs` is the time left until the caller's deadline. */
  admit(request: SynthesisRequest, deadlineMs: number): SpeechPermit {
    const { engine } = this
    const { metrics, tracing } = this.#options.platform
    const admitted = this.#enqueue(request, deadlineMs)
    const scheduled = createScheduledSpeech(engine, admitted, {
      endedProcesses: request.ended_processes ?? 0,
      tracing,
      onEnd({ audioMs, engineMs }) {
        if (audioMs > 0) metrics.ttsRealTimeFactor(engine.name, audioMs / engineMs)
      },
    })
    return {
      speak: (request, voice, options) => async (sink, signal) => {
        const speech = synthesize(scheduled, request, voice, options)
        try {
          await speech((chunk) => {
            this.#observe(chunk)
            return sink(chunk)
          }, signal)
        } finally {
          admitted.leave()
        }
      },
      release: admitted.leave,
    }
  }

  /** Joins the queue groups and offers the voices to the catalog. */
  async serve(handlers: Handlers<typeof ttsContract>): Promise<void> {
    const { engine } = this
    const { bus, instanceId, logger, metrics, tracing } = this.#options.platform
    const metadata = {
      ...engine.info,
      engine: engine.name,
      voices: String(engine.voices.length),
      capacity: String(engine.capacity),
    }
    const serveIn = (name: string) =>
      serve(bus, ttsContract, handlers, { instanceId, lane: name, metadata, logger, metrics, tracing })
    const [soon, queued] = await Promise.all([serveIn(engine.name), serveIn(queueLaneOf(engine.name))])
    this.#served = { soon, queued }
    this.#updateQueueGroups()
    this.#offer = startVoiceOffer({
      catalog: createClient(bus, catalogContract),
      bus,
      instanceId,
      engine: engine.name,
      synthesis: engine.synthesis,
      voices: () => {
        // A server may have other voices by now, and be no less healthy.
        this.#voices = this.#speakable()
        this.#updateQueueGroups()
        return this.#voices
      },
    })
  }

  /** The health of an engine has changed, which may change what can be spoken here. */
  update(): void {
    const before = this.#voices
    this.#voices = this.#speakable()
    if (this.#voices === before) return
    this.#updateQueueGroups()
    this.#offer?.changed()
  }

  /**
   * Withdraws the voices, and serves callers that have cached them until no request has arrived for some time, or until the
   * signal is aborted. Resolves when no request is left.
   */
  async retire(signal: AbortSignal): Promise<void> {
    const { platform, quietMs = defaultQuietMs } = this.#options
    this.#offer?.stop()
    this.#usedAtMs = performance.now()
    const isQuiet = async () => {
      for (;;) {
        const leftMs = this.#usedAtMs + quietMs - performance.now()
        if (leftMs <= 0) return
        await sleep(leftMs, signal)
      }
    }
    await isQuiet().catch(() => {})
    this.#scheduler.drain()
    await Promise.all([this.#served?.soon.stop(), this.#served?.queued.stop()])
    platform.metrics.ttsCapacity(this.engine.name, 0)
  }

  #enqueue({ workspace_id, purpose = 'one_shot', ahead_ms }: SynthesisRequest, deadlineMs: number) {
    try {
      return this.#scheduler.admit({ workspaceId: workspace_id, purpose, deadlineMs, aheadMs: ahead_ms })
    } catch (error) {
      if (error instanceof ServiceError) this.#options.platform.metrics.ttsRefusal(this.engine.name, error.code)
      throw error
    }
  }

  #measure(): void {
    const { metrics } = this.#options.platform
    metrics.ttsActive(this.engine.name, this.#scheduler.running())
    metrics.ttsWaiting(this.engine.name, this.#scheduler.waiting())
  }

  #observe(chunk: SynthesisChunk): void {
    const { metrics } = this.#options.platform
    const { name } = this.engine
    if (chunk.event === 'started') {
      metrics.ttsQueueTime(name, chunk.queue_ms / 1000)
      metrics.ttsTimeToFirstAudio(name, chunk.ttfa_ms / 1000)
    } else if (chunk.event === 'audio') {
      metrics.ttsAudio(name, chunk.duration_ms / 1000)
    }
  }

  /** All variants of the engine, or those that a healthy fallback speaks. */
  #speakable(): readonly OfferedVoice[] {
    const { engine } = this
    if (engine.healthy()) return engine.voices
    const fallbacks = this.#options.fallbacks()
    return engine.voices.flatMap((voice) => {
      const variants = voice.variants.filter(({ id }) =>
        fallbacks.of(voice.id, id).some((instead) => instead.engine.healthy()),
      )
      return variants.length === 0 ? [] : [{ ...voice, variants }]
    })
  }

  #updateQueueGroups(): void {
    const canSpeak = this.#voices.length > 0
    this.#served?.soon.setAvailable(canSpeak && this.#scheduler.hasRoom())
    this.#served?.queued.setAvailable(canSpeak && !this.#scheduler.isFull())
  }
}
