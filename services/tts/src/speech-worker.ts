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
import { type Platform, StartupError } from '@parlance/runtime'
import type { Engine } from './engine/engine.js'
import type { FallbackConfig } from './engines-config.js'
import { type Fallbacks, resolveFallbacks } from './fallbacks.js'
import type { OnFallback } from './first-to-speak.js'
import { createHandlers } from './handlers.js'
import type { KeptSpeech } from './kept-speech.js'
import { ServedLane } from './served-lane.js'
import { shareFatalTexts } from './shared-fatal-texts.js'

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

/** Throws a `StartupError` for a fallback that names what no engine has, unless an engine may still get its voices. */
const checkFallbacks = ({ problems }: Fallbacks, { engines, place, platform }: SpeechWorkerOptions): void => {
  if (problems.length === 0) return
  const lines = problems.map((problem) => `${place}: ${problem}`)
  if (engines.every(({ voices }) => voices.length > 0)) throw new StartupError(lines)
  platform.logger.warn({ err: new Error(lines.join('; ')) }, 'Fallbacks name what no engine has now')
}

/** Rejects with a `StartupError` when a fallback names what no engine has. */
export const startSpeechWorker = async (options: SpeechWorkerOptions): Promise<SpeechWorker> => {
  const { engines, platform, queueLimit, kept } = options
  const { bus, instanceId, logger, metrics } = platform
  const resolve = () => resolveFallbacks(options.fallbacks, engines)
  let resolved = resolve()
  checkFallbacks(resolved, options)
  const fallbacks = () => resolved

  const onFallback: OnFallback = (from, to, err) => {
    metrics.ttsFallback(from, to)
    logger.warn({ engine: from, fallbackEngine: to, err }, 'Another engine speaks in the place of one that could not')
  }
  const shared = shareFatalTexts(bus, instanceId, logger)
  const { fatalTexts } = shared
  const lanes = new Map(
    engines.map((engine) => [engine, new ServedLane({ engine, platform, queueLimit, fatalTexts, fallbacks })]),
  )
  const laneOf = (engine: Engine) => lanes.get(engine)!.lane

  const anyHealthy = () => engines.some((engine) => engine.healthy())
  let hasBeenHealthy = anyHealthy()
  /** Any engine may be another's fallback, so what one can do now may change what all offer. */
  const onHealthChange = () => {
    hasBeenHealthy ||= anyHealthy()
    resolved = resolve()
    for (const lane of lanes.values()) lane.update()
  }
  const unlisten = engines.map((engine) => engine.onHealthChange(onHealthChange))
  const serve = (served: ServedLane) =>
    served.serve(createHandlers({ lane: served.lane, laneOf, fallbacks, onFallback, kept }))
  await Promise.all([...lanes.values()].map(serve))

  return {
    hasBeenHealthy: () => hasBeenHealthy,
    async stop() {
      for (const end of unlisten) end()
      shared.stop()
      for (const lane of lanes.values()) lane.drain()
      await Promise.all([...lanes.values()].map((lane) => lane.stop()))
    },
  }
}
