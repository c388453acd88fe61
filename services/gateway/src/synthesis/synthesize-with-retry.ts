/**
 * A synthesis that finds itself a worker. Until the first chunk nothing was heard of it, so what a worker refuses, or
 * takes and is lost with, another may do instead:
 *
 * - where all workers are full it tries again for a moment, in which one may get room, and then says so: who overloads
 *   the platform is told at once;
 * - a worker that hangs costs its callers time, not their speech: it is tried elsewhere for as long as the deadline allows;
 * - where workers end with the request in hand, two more may try, since it may be the request that ends them;
 * - from the first chunk on, everything is passed on as it is.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type CallOptions, type Client, whyUnanswered } from '@parlance/bus'
import type { SynthesisChunk, SynthesisRequest, ttsContract } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'

export type SpeechClient = Pick<Client<typeof ttsContract>, 'synthesize'>

type SynthesizeOptions = CallOptions & Required<Pick<CallOptions, 'deadlineMs' | 'signal'>>

/**
 * Before each further try where all are full, in ms. Few and soon over: under overload every try is load too, and whoever
 * is admitted at last has waited for it.
 */
const waitsMs = [10, 30]
const mostLosses = 2

/** Rejects as `synthesize` does, but where every worker is full, with `capacity_exhausted`. */
export async function* synthesizeWithRetry(
  tts: SpeechClient,
  request: SynthesisRequest,
  { deadlineMs, signal, ...options }: SynthesizeOptions,
): AsyncGenerator<SynthesisChunk> {
  const expiresAtMs = performance.now() + deadlineMs
  let losses = 0
  let refusals = 0

  /** What to do about a failure before the first chunk: nothing but to try again, else it throws. */
  const outlive = async (error: unknown): Promise<void> => {
    const failure = isRefusal(error) ? allFull(error) : error
    if (isRefusal(error)) {
      if (refusals === waitsMs.length) throw failure
    } else if (whyUnanswered(error) !== 'silent') {
      if (!isLoss(error) || losses === mostLosses) throw failure
      losses += 1
    }
    // Callers who were refused together are not to come back together.
    const waitMs = waitsMs[isRefusal(error) ? refusals++ : 0]! * (0.5 + Math.random() / 2)
    if (performance.now() + waitMs > expiresAtMs) throw failure
    await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }

  for (;;) {
    const leftMs = Math.max(1, Math.round(expiresAtMs - performance.now()))
    const chunks = tts.synthesize(request, { ...options, signal, deadlineMs: leftMs })
    let first: IteratorResult<SynthesisChunk>
    try {
      first = await chunks.next()
    } catch (error) {
      await outlive(error)
      continue
    }
    try {
      if (first.done !== true) yield first.value
      yield* chunks
    } finally {
      await chunks.return?.()
    }
    return
  }
}

const isRefusal = (error: unknown): boolean =>
  whyUnanswered(error) === 'nobody' ||
  (error instanceof ServiceError && (error.code === 'capacity_exhausted' || error.code === 'draining'))

const isLoss = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable'

const allFull = (error: unknown): unknown =>
  error instanceof ServiceError && error.code === 'capacity_exhausted'
    ? error
    : new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again shortly.')
