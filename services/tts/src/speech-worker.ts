/**
 * The engines of this process as the others see them.
 *
 * - Each engine has two lanes of the bus to itself. In the lane of its name are only the workers in which a request would
 *   begin soon: the bus is the balancer, and that no worker is there means that all are busy. In its queue lane are all
 *   of them, and a request waits.
 * - A text that ended a process of an engine here is refused here and by the other workers.
 * - A variant is offered while its engine is healthy, or one of its fallbacks is; a lane of which nothing is offered gets
 *   no requests.
 */
import { createClient, type ServedContract, serve } from '@parlance/bus'
import { catalogContract, type OfferedVoice, queueLaneOf, ttsContract } from '@parlance/contracts'
import { type Platform, StartupError } from '@parlance/runtime'
import type { Engine } from './engine/engine.js'
import type { FallbackConfig } from './engines-config.js'
import { resolveFallbacks } from './fallbacks.js'
import { createFatalTexts } from './fatal-texts.js'
import type { OnFallback } from './first-to-speak.js'
import { createHandlers } from './handlers.js'
import type { KeptSpeech } from './kept-speech.js'
import { createLane, type Lane } from './lane.js'
import { startVoiceOffer, type VoiceOffer } from './voice-offer.js'

export interface SpeechWorkerOptions {
  readonly platform: Pick<Platform, 'bus' | 'instanceId' | 'logger' | 'metrics' | 'tracing'>
  readonly engines: readonly Engine[]
  readonly fallbacks: readonly FallbackConfig[]
  /** What an error of the configuration begins with. */
  readonly place: string
  /** Requests that may wait for each engine. */
  readonly queueLimit: number
  readonly kept: KeptSpeech | undefined
}

export interface SpeechWorker {
  /**
   * Whether any engine has worked since the start. A worker that never could speak must not take the place of one that
   * can; one whose engines fail later offers nothing, which is no reason to take its process for broken.
   */
  hasBeenHealthy(): boolean
  /** Takes nothing new, finishes what runs. The engines are left open. */
  stop(): Promise<void>
}

interface ServedLane {
  readonly lane: Lane
  /** What can be spoken in it now. */
  voices: readonly OfferedVoice[]
  served?: { readonly soon: ServedContract; readonly queued: ServedContract }
  offer?: VoiceOffer
}

/** Rejects with a `StartupError` when a fallback names what no engine has. */
export const startSpeechWorker = async (options: SpeechWorkerOptions): Promise<SpeechWorker> => {
  const { engines, queueLimit } = options
  const { bus, instanceId, logger, metrics, tracing } = options.platform
  const catalog = createClient(bus, catalogContract)
  const resolve = () => resolveFallbacks(options.fallbacks, engines)
  let fallbacks = resolve()
  if (fallbacks.problems.length > 0) {
    const lines = fallbacks.problems.map((problem) => `${options.place}: ${problem}`)
    if (engines.every(({ voices }) => voices.length > 0)) throw new StartupError(lines)
    // It may be what an engine will have that could not be asked yet.
    logger.warn({ err: new Error(lines.join('; ')) }, 'Fallbacks name what no engine has now')
  }

  const anyHealthy = () => engines.some((engine) => engine.healthy())
  let healthy = anyHealthy()

  const speakable = (engine: Engine): readonly OfferedVoice[] => {
    if (engine.healthy()) return engine.voices
    return engine.voices.flatMap((voice) => {
      const variants = voice.variants.filter(({ id }) =>
        fallbacks.of(voice.id, id).some((instead) => instead.engine.healthy()),
      )
      return variants.length === 0 ? [] : [{ ...voice, variants }]
    })
  }
  const onFallback: OnFallback = (from, to, err) => {
    metrics.ttsFallback(from, to)
    logger.warn({ engine: from, fallbackEngine: to, err }, 'Another engine speaks in the place of one that could not')
  }

  const updateQueueGroups = ({ lane, voices, served }: ServedLane) => {
    const canSpeak = voices.length > 0
    served?.soon.setAvailable(canSpeak && lane.hasRoom())
    served?.queued.setAvailable(canSpeak)
  }

  const workers = createClient(bus, ttsContract)
  const fatalTexts = createFatalTexts({
    onFatalText({ engine, workspaceId, textHash }) {
      logger.error({ engine, workspaceId }, 'A text ended an engine process: it is refused from now on')
      if (!bus.connected()) return
      workers.textEndedProcess.publish({
        instance_id: instanceId,
        engine,
        workspace_id: workspaceId,
        text_hash: textHash,
      })
    },
  })
  const reports = workers.textEndedProcess.subscribe(({ instance_id, engine, workspace_id, text_hash }) => {
    if (instance_id === instanceId) return
    fatalTexts.learn({ engine, workspaceId: workspace_id, textHash: text_hash })
  })

  const openLane = (engine: Engine): ServedLane => {
    const lane = createLane({ engine, queueLimit, metrics, fatalTexts, onChange: () => updateQueueGroups(own) })
    const own: ServedLane = { lane, voices: speakable(engine) }
    return own
  }
  const lanes = new Map(engines.map((engine) => [engine, openLane(engine)]))

  const serveLane = async (own: ServedLane) => {
    const { engine } = own.lane
    const handlers = createHandlers({
      lane: own.lane,
      laneOf: (other) => lanes.get(other)!.lane,
      fallbacks: () => fallbacks,
      onFallback,
      kept: options.kept,
    })
    const metadata = {
      ...engine.info,
      engine: engine.name,
      voices: String(engine.voices.length),
      capacity: String(engine.capacity),
    }
    const serveIn = (name: string) =>
      serve(bus, ttsContract, handlers, { instanceId, lane: name, metadata, logger, metrics, tracing })
    const [soon, queued] = await Promise.all([serveIn(engine.name), serveIn(queueLaneOf(engine.name))])
    own.served = { soon, queued }
    updateQueueGroups(own)
    own.offer = startVoiceOffer({
      catalog,
      bus,
      instanceId,
      engine: engine.name,
      synthesis: engine.synthesis,
      voices() {
        // A server may have other voices by now, and be no less healthy.
        own.voices = speakable(engine)
        updateQueueGroups(own)
        return own.voices
      },
    })
  }

  /** Any engine may be another's fallback, so what one can do now may change what all offer. */
  const onHealthChange = () => {
    healthy ||= anyHealthy()
    fallbacks = resolve()
    for (const own of lanes.values()) {
      const before = own.voices
      own.voices = speakable(own.lane.engine)
      if (own.voices === before) continue
      updateQueueGroups(own)
      own.offer?.changed()
    }
  }
  const unlisten = engines.map((engine) => engine.onHealthChange(onHealthChange))
  await Promise.all([...lanes.values()].map(serveLane))

  return {
    hasBeenHealthy: () => healthy,
    async stop() {
      for (const end of unlisten) end()
      reports.unsubscribe()
      for (const { lane, offer } of lanes.values()) {
        lane.drain()
        offer?.stop()
      }
      const served = [...lanes.values()].flatMap(({ served }) => (served === undefined ? [] : Object.values(served)))
      await Promise.all(served.map(({ stop }) => stop()))
    },
  }
}
