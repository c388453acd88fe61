import { ServiceError } from '@parlance/contracts'

/** One way to have a text spoken. */
export interface Attempt<Chunk> {
  /** The engine's name. */
  readonly engine: string
  /** Whether it is worth trying. */
  healthy(): boolean
  /** Throws at once when there is no room. */
  speak(): AsyncGenerator<Chunk>
}

/** Told before each attempt that is made in place of one that failed, or was not worth making. */
export type OnFallback = (from: string, to: string, reason: unknown) => void

/** What another engine may do better. What is wrong with the request itself is wrong for all. */
const engineFailures = new Set(['upstream_error', 'upstream_timeout', 'capacity_exhausted', 'unavailable'])
const isFailureOfEngine = (error: unknown): boolean =>
  !(error instanceof ServiceError) || engineFailures.has(error.code)

/**
 * The chunks of the first attempt that comes to its first one; once there was one, nothing is changed any more. When all
 * fail, the first failure is thrown. That the attempt tried first finds no room is thrown as it is: elsewhere there may be
 * some. Leaving the loop, or aborting, ends it without another attempt.
 */
export async function* firstToSpeak<Chunk>(
  attempts: readonly [Attempt<Chunk>, ...Attempt<Chunk>[]],
  signal: AbortSignal,
  onFallback: OnFallback,
): AsyncGenerator<Chunk> {
  const [preferred] = attempts
  const promising = attempts.filter(({ healthy }) => healthy())
  let from: { readonly engine: string; readonly reason: unknown } | undefined
  let failure: { readonly reason: unknown } | undefined

  for (const attempt of promising.length > 0 ? promising : [preferred]) {
    if (attempt !== preferred) {
      const { engine, reason } = from ?? { engine: preferred.engine, reason: new Error('the engine is not healthy') }
      onFallback(engine, attempt.engine, reason)
    }
    let chunks: AsyncGenerator<Chunk> | undefined
    let first: IteratorResult<Chunk>
    try {
      chunks = attempt.speak()
      first = await chunks.next()
    } catch (reason) {
      const refused = chunks === undefined && failure === undefined
      if (refused || signal.aborted || !isFailureOfEngine(reason)) throw reason
      failure ??= { reason }
      from = { engine: attempt.engine, reason }
      continue
    }
    try {
      if (first.done !== true) yield first.value
      yield* chunks
    } finally {
      await chunks.return(undefined)
    }
    return
  }
  throw failure?.reason
}
