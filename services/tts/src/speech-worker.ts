/**
 * The engines of this process as other processes reach them.
 *
 * - Each engine has two lanes on the bus. The lane of its name contains only the workers in which a request would start soon:
 *   the bus balances the load, and an empty lane means that all workers are busy. Its queue lane contains all workers whose
 *   queue is not full, and a request waits.
 * - A variant is offered while its engine is healthy, or one of its fallbacks is; a lane of which nothing is offered gets
 *   no requests.
 */
import { type Platform, StartupError } from '@parlance/runtime'
import type { Engine } from './engine/engine.js'
import { EngineSet } from './engine-set.js'
import type { FallbackConfig } from './engines-config.js'
import type { OnFallback } from './failover.js'
import { resolveFallbacks } from './fallbacks.js'
import type { SpeechCaches } from './speech-caches.js'

export interface SpeechWorkerOptions {
  readonly platform: Pick<Platform, 'bus' | 'instanceId' | 'logger' | 'metrics' | 'tracing'>
  readonly engines: readonly Engine[]
  readonly fallbacks: readonly FallbackConfig[]
  /** The prefix of errors of the configuration. */
  readonly place: string
  /** Requests that may wait for each engine. */
  readonly queueLimit: number
  readonly kept: SpeechCaches | undefined
  /** How long an engine is served after its last request when it is removed. Default 12,000. */
  readonly quietMs?: number | undefined
}

export interface SpeechWorker extends Pick<EngineSet, 'add' | 'remove'> {
  /**
   * Whether any engine has worked since the start. A worker that never could speak must not take the place of one that
   * can; one whose engines fail later offers nothing, which is no reason to take its process for broken.
   */
  hasBeenHealthy(): boolean
  /** Accepts no new requests and finishes running ones. The engines stay open. */
  stop(): Promise<void>
}

/** Throws a `StartupError` for a fallback that names what no engine has, unless an engine may still get its voices. */
const checkFallbacks = ({ engines, fallbacks, place, platform }: SpeechWorkerOptions): void => {
  const { problems } = resolveFallbacks(fallbacks, engines)
  if (problems.length === 0) return
  const lines = problems.map((problem) => `${place}: ${problem}`)
  if (engines.every(({ voices }) => voices.length > 0)) throw new StartupError(lines)
  platform.logger.warn({ err: new Error(lines.join('; ')) }, 'Fallbacks name voices or variants that no engine has now')
}

/** Rejects with a `StartupError` when a fallback names what no engine has. */
export const startSpeechWorker = async (options: SpeechWorkerOptions): Promise<SpeechWorker> => {
  const { engines, platform } = options
  const { logger, metrics } = platform
  checkFallbacks(options)

  const onFallback: OnFallback = (from, to, err) => {
    metrics.ttsFallback(from, to)
    logger.warn({ engine: from, fallbackEngine: to, err }, 'A fallback engine is used')
  }
  let hasBeenHealthy = false
  const onHealthChange = () => {
    hasBeenHealthy ||= set.anyHealthy()
  }
  const set = new EngineSet({ ...options, onFallback, onHealthChange })
  await set.add(...engines)

  return {
    add: (...engines) => set.add(...engines),
    remove: (name) => set.remove(name),
    hasBeenHealthy: () => hasBeenHealthy,
    stop: () => set.stop(),
  }
}
