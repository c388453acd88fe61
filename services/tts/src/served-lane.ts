import { sleep } from '@parlance/async'
import { createClient, type Handlers, type ServedContract, serve } from '@parlance/bus'
import { catalogContract, type OfferedVoice, queueLaneOf, ttsContract } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Engine } from './engine/engine.js'
import type { Fallbacks } from './fallbacks.js'
import { createLane, type Lane } from './lane.js'
import { startVoiceOffer, type VoiceOffer } from './voice-offer.js'

/** What can be spoken in the lane of an engine now: all of its variants, or those that a healthy fallback speaks. */
const speakableVoices = (engine: Engine, fallbacks: Fallbacks): readonly OfferedVoice[] => {
  if (engine.healthy()) return engine.voices
  return engine.voices.flatMap((voice) => {
    const variants = voice.variants.filter(({ id }) =>
      fallbacks.of(voice.id, id).some((instead) => instead.engine.healthy()),
    )
    return variants.length === 0 ? [] : [{ ...voice, variants }]
  })
}

export interface ServedLaneOptions {
  readonly engine: Engine
  readonly platform: Pick<Platform, 'bus' | 'instanceId' | 'logger' | 'metrics' | 'tracing'>
  readonly queueLimit: number
  /** The fallbacks as they are now. */
  readonly fallbacks: () => Fallbacks
  /** How long a lane is served after its last request when its engine is removed. Default 12,000. */
  readonly quietMs?: number | undefined
}

/** Callers cache a voice for ten seconds, and may request it for that time after it was withdrawn. */
const defaultQuietMs = 12_000

/**
 * A lane in the two queue groups of its engine. It is in the group of the engine's name, which callers ask first, while a
 * request would start soon, and in the group of the engine's queue until that is full. It is in neither while nothing can be
 * spoken.
 */
export class ServedLane {
  readonly lane: Lane
  readonly #options: ServedLaneOptions
  /** What can be spoken in it now. */
  #voices: readonly OfferedVoice[]
  #served: { readonly soon: ServedContract; readonly queued: ServedContract } | undefined
  #offer: VoiceOffer | undefined
  /** The time of the latest request or its progress, on the clock of `performance`. */
  #usedAtMs = performance.now()

  constructor(options: ServedLaneOptions) {
    this.#options = options
    const { engine, queueLimit, platform } = options
    this.#voices = this.#speakable()
    this.lane = createLane({
      engine,
      queueLimit,
      metrics: platform.metrics,
      tracing: platform.tracing,
      onChange: () => {
        this.#usedAtMs = performance.now()
        this.#updateQueueGroups()
      },
    })
  }

  /** Joins the queue groups and offers the voices to the catalog. */
  async serve(handlers: Handlers<typeof ttsContract>): Promise<void> {
    const { engine, platform } = this.#options
    const { bus, instanceId, logger, metrics, tracing } = platform
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
    const { engine, platform, quietMs = defaultQuietMs } = this.#options
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
    this.lane.drain()
    await Promise.all([this.#served?.soon.stop(), this.#served?.queued.stop()])
    platform.metrics.ttsCapacity(engine.name, 0)
  }

  #speakable(): readonly OfferedVoice[] {
    return speakableVoices(this.#options.engine, this.#options.fallbacks())
  }

  #updateQueueGroups(): void {
    const canSpeak = this.#voices.length > 0
    this.#served?.soon.setAvailable(canSpeak && this.lane.hasRoom())
    this.#served?.queued.setAvailable(canSpeak && !this.lane.isFull())
  }
}
