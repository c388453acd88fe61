import type { PushStream } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'

/** One engine that can speak the text. */
export interface Attempt<Chunk> {
  /** The engine's name. */
  readonly engine: string
  /** Whether the engine is healthy. When no engine is, the first attempt is made nevertheless. */
  healthy(): boolean
  /** Throws at once when there is no capacity. */
  speak(): PushStream<Chunk>
}

/** Called before each attempt that replaces one that failed or was skipped. */
export type OnFallback = (from: string, to: string, reason: unknown) => void

/** Errors of the engine. Another engine may succeed; it cannot when the request is invalid. */
const engineFailures = new Set(['upstream_error', 'upstream_timeout', 'capacity_exhausted', 'unavailable'])
const isFailureOfEngine = (error: unknown): boolean =>
  !(error instanceof ServiceError) || engineFailures.has(error.code)

/**
 * Streams the chunks of the first attempt that produces a chunk. A later error of that attempt is passed on. Rejects with the
 * first failure when all fail. Rejects at once when the first attempt is refused for lack of capacity: another worker may
 * have some. No attempt follows an abort.
 */
export const createFailover =
  <Chunk>(attempts: readonly [Attempt<Chunk>, ...Attempt<Chunk>[]], onFallback: OnFallback): PushStream<Chunk> =>
  async (sink, signal) => {
    const [preferred] = attempts
    const candidates = attempts.filter(({ healthy }) => healthy())
    let from: { readonly engine: string; readonly reason: unknown } | undefined
    let failure: { readonly reason: unknown } | undefined

    for (const attempt of candidates.length > 0 ? candidates : [preferred]) {
      if (attempt !== preferred) {
        const { engine, reason } = from ?? { engine: preferred.engine, reason: new Error('the engine is not healthy') }
        onFallback(engine, attempt.engine, reason)
      }
      let chunks: PushStream<Chunk> | undefined
      let hasBegun = false
      try {
        chunks = attempt.speak()
        return await chunks((chunk) => {
          hasBegun = true
          return sink(chunk)
        }, signal)
      } catch (reason) {
        const wasRefused = chunks === undefined && failure === undefined
        if (hasBegun || wasRefused || signal.aborted || !isFailureOfEngine(reason)) throw reason
        failure ??= { reason }
        from = { engine: attempt.engine, reason }
      }
    }
    throw failure?.reason
  }
