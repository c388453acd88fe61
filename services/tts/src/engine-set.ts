import type { Engine } from './engine/engine.js'
import type { FallbackConfig } from './engines-config.js'
import type { OnFallback } from './failover.js'
import { type Fallbacks, resolveFallbacks } from './fallbacks.js'
import { createHandlers } from './handlers.js'
import { ServedLane, type ServedLaneOptions } from './served-lane.js'
import type { SpeechCaches } from './speech-caches.js'

export interface EngineSetOptions extends Pick<ServedLaneOptions, 'platform' | 'queueLimit' | 'quietMs'> {
  readonly fallbacks: readonly FallbackConfig[]
  readonly onFallback: OnFallback
  readonly kept: SpeechCaches | undefined
  /** Called when an engine was added, or one that is in the set can speak again or no longer can. */
  readonly onHealthChange: () => void
}

/** An engine of the set, and its lane. */
interface Member {
  readonly engine: Engine
  readonly served: ServedLane
  readonly unlisten: () => void
}

/** The engines of a worker, each in lanes of its own. None of them is opened or closed here. */
export class EngineSet {
  readonly #options: EngineSetOptions
  readonly #members = new Map<string, Member>()
  /** Lanes of removed engines whose last requests are in progress. */
  readonly #retiring = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  /** The fallbacks among the engines that are in the set now. */
  #resolved: Fallbacks

  constructor(options: EngineSetOptions) {
    this.#options = options
    this.#resolved = this.#resolve()
  }

  anyHealthy(): boolean {
    return [...this.#members.values()].some(({ engine }) => engine.healthy())
  }

  /**
   * Resolves when the lanes of the engines are served and their voices are offered. Rejects when the set has an engine of the
   * same name, or is stopped.
   */
  async add(...engines: readonly Engine[]): Promise<void> {
    const added = engines.map((engine) => this.#join(engine))
    this.#update()
    await Promise.all(added.map(({ served }) => served.serve(this.#handlersOf(served))))
  }

  /**
   * Withdraws the voices of the engine at once. Resolves when its last request is answered: callers may have cached the voices,
   * and are served meanwhile.
   */
  async remove(name: string): Promise<void> {
    const member = this.#members.get(name)
    if (member === undefined) return this.#retiring.get(name)
    const { served, unlisten } = member
    unlisten()
    const retiring = served.retire(this.#stopping.signal).finally(() => this.#retiring.delete(name))
    this.#retiring.set(name, retiring)
    this.#members.delete(name)
    this.#update()
    await retiring
  }

  /** Takes nothing new. Resolves when all requests in progress are answered. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([...this.#members.keys(), ...this.#retiring.keys()].map((name) => this.remove(name)))
  }

  #join(engine: Engine): Member {
    const { name } = engine
    if (this.#stopping.signal.aborted) throw new Error('the worker is stopping')
    if (this.#members.has(name) || this.#retiring.has(name)) throw new Error(`there is an engine ${name} already`)
    const served = new ServedLane({ ...this.#options, engine, fallbacks: () => this.#resolved })
    const member = { engine, served, unlisten: engine.onHealthChange(() => this.#update()) }
    this.#members.set(name, member)
    return member
  }

  #handlersOf({ lane }: ServedLane) {
    return createHandlers({
      ...this.#options,
      lane,
      laneOf: ({ name }) => this.#members.get(name)!.served.lane,
      fallbacks: () => this.#resolved,
    })
  }

  #resolve(): Fallbacks {
    const engines = [...this.#members.values()].map(({ engine }) => engine)
    return resolveFallbacks(this.#options.fallbacks, engines)
  }

  /** Any engine may be another's fallback, so what one can do now may change what all offer. */
  #update(): void {
    this.#resolved = this.#resolve()
    this.#options.onHealthChange()
    for (const { served } of this.#members.values()) served.update()
  }
}
