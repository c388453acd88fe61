/**
 * The engines of this process as other processes reach them.
 *
 * - Each engine has two lanes on the bus. The lane of its name contains only the workers in which a request would start soon:
 *   the bus balances the load, and an empty lane means that all workers are busy. Its queue lane contains all workers whose
 *   queue is not full, and a request waits.
 * - A variant is offered while its engine is healthy, or one of its fallbacks is; a lane of which nothing is offered gets
 *   no requests.
 * - Engines may be added and removed at any time. None of them is opened or closed here.
 */
import { type Platform, StartupError } from '@parlance/runtime'
import type { Engine } from './engine/engine.js'
import type { FallbackConfig } from './engines-config.js'
import type { OnFallback } from './failover.js'
import { type Fallbacks, resolveFallbacks } from './fallbacks.js'
import { createHandlers } from './handlers.js'
import { Lane } from './lane.js'
import type { SpeechCaches } from './speech-caches.js'

interface SpeechWorkerOptions {
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
  checkFallbacks(options)
  const worker = new SpeechWorker(options)
  await worker.add(...options.engines)
  return worker
}

interface Member {
  readonly lane: Lane
  readonly unlisten: () => void
}

export class SpeechWorker {
  readonly #options: SpeechWorkerOptions
  /** The engines of the worker by their names. */
  readonly #members = new Map<string, Member>()
  /** Lanes of removed engines whose last requests are in progress. */
  readonly #retiring = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  /** The fallbacks among the engines that are there now. */
  #fallbacks: Fallbacks
  #hasBeenHealthy = false

  constructor(options: SpeechWorkerOptions) {
    this.#options = options
    this.#fallbacks = this.#resolve()
  }

  /**
   * Whether any engine has worked since the start. A worker that never could speak must not take the place of one that
   * can; one whose engines fail later offers nothing, which is no reason to take its process for broken.
   */
  get hasBeenHealthy(): boolean {
    return this.#hasBeenHealthy
  }

  /**
   * Resolves when the lanes of the engines are served and their voices are offered. Rejects when the worker has an engine of the
   * same name, or is stopped.
   */
  async add(...engines: readonly Engine[]): Promise<void> {
    const lanes = engines.map((engine) => this.#join(engine))
    this.#update()
    await Promise.all(lanes.map((lane) => lane.serve(this.#handlersOf(lane))))
  }

  /**
   * Withdraws the voices of the engine at once. Resolves when its last request is answered: callers may have cached the voices,
   * and are served meanwhile.
   */
  async remove(name: string): Promise<void> {
    const member = this.#members.get(name)
    if (member === undefined) return this.#retiring.get(name)
    const { lane, unlisten } = member
    unlisten()
    const retiring = lane.retire(this.#stopping.signal).finally(() => this.#retiring.delete(name))
    this.#retiring.set(name, retiring)
    this.#members.delete(name)
    this.#update()
    await retiring
  }

  /** Takes nothing new. Resolves when all requests in progress are answered. The engines stay open. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([...this.#members.keys(), ...this.#retiring.keys()].map((name) => this.remove(name)))
  }

  #join(engine: Engine): Lane {
    const { name } = engine
    if (this.#stopping.signal.aborted) throw new Error('the worker is stopping')
    if (this.#members.has(name) || this.#retiring.has(name)) throw new Error(`there is an engine ${name} already`)
    const lane = new Lane({ ...this.#options, engine, fallbacks: () => this.#fallbacks })
    this.#members.set(name, { lane, unlisten: engine.onHealthChange(() => this.#update()) })
    return lane
  }

  #handlersOf(lane: Lane) {
    const { kept, platform } = this.#options
    const onFallback: OnFallback = (from, to, err) => {
      platform.metrics.ttsFallback(from, to)
      platform.logger.warn({ engine: from, fallbackEngine: to, err }, 'A fallback engine is used')
    }
    return createHandlers({
      kept,
      onFallback,
      lane,
      laneOf: ({ name }) => this.#members.get(name)!.lane,
      fallbacks: () => this.#fallbacks,
    })
  }

  #resolve(): Fallbacks {
    const engines = [...this.#members.values()].map(({ lane }) => lane.engine)
    return resolveFallbacks(this.#options.fallbacks, engines)
  }

  /** Any engine may be another's fallback, so what one can do now may change what all offer. */
  #update(): void {
    this.#fallbacks = this.#resolve()
    const lanes = [...this.#members.values()].map(({ lane }) => lane)
    this.#hasBeenHealthy ||= lanes.some(({ engine }) => engine.healthy())
    for (const lane of lanes) lane.update()
  }
}
