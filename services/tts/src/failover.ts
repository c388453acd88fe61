import type { PushStream } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'

/** One way to have a text spoken. */
export interface Attempt<Chunk> {
  /** The engine's name. */
  readonly engine: string
  /** Whether it is worth trying. */
  healthy(): boolean
  /** Throws at once when there is no room. */
  speak(): PushStream<Chunk>
}

/** Called before each attempt that replaces one that failed, or was not worth making. */
export type OnFallback = (from: string, to: string, reason: unknown) => void

/** What another engine may do better. What is wrong with the request itself is wrong for all. */
const engineFailures = new Set(['upstream_error', 'upstream_timeout', 'capacity_exhausted', 'unavailable'])
const isFailureOfEngine = (error: unknown): boolean =>
  !(error instanceof ServiceError) || engineFailures.has(error.code)

/**
 * The chunks of the first attempt that makes one; what that attempt fails with later is passed on. Rejects with the first
 * failure when all fail. Rejects at once when the attempt tried first finds no room: another worker may have some. An abort
 * ends it without another attempt.
 */
export const firstToSpeak =
  <Chunk>(attempts: readonly [Attempt<Chunk>, ...Attempt<Chunk>[]], onFallback: OnFallback): PushStream<Chunk> =>
  async (take, signal) => {
    const [preferred] = attempts
    const promising = attempts.filter(({ healthy }) => healthy())
    let from: { readonly engine: string; readonly reason: unknown } | undefined
    let failure: { readonly reason: unknown } | undefined

    for (const attempt of promising.length > 0 ? promising : [preferred]) {
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
          return take(chunk)
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
