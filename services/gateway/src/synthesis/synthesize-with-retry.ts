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

interface SynthesizeOptions extends Omit<CallOptions, 'deadlineMs' | 'signal'> {
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /**
   * How long a worker with room is looked for, in ms. A moment when left out: under overload every try is load too, and
   * whoever is admitted at last has waited for it.
   */
  readonly patienceMs?: number
}

const aMomentMs = 40
const waitsMs = { first: 10, most: 60 }
const mostLosses = 2

/** Rejects as `synthesize` does, but where every worker is full, with `capacity_exhausted`. */
export async function* synthesizeWithRetry(
  tts: SpeechClient,
  request: SynthesisRequest,
  { deadlineMs, signal, patienceMs = aMomentMs, ...options }: SynthesizeOptions,
): AsyncGenerator<SynthesisChunk> {
  const expiresAtMs = performance.now() + deadlineMs
  const patientUntilMs = Math.min(performance.now() + patienceMs, expiresAtMs)
  let losses = 0
  let refusedWaitMs = waitsMs.first

  /** What to do about a failure before the first chunk: nothing but to try again, else it throws. */
  const outlive = async (error: unknown): Promise<void> => {
    const refused = isRefusal(error)
    const failure = refused ? allFull(error) : error
    if (!refused && whyUnanswered(error) !== 'silent') {
      if (!isLoss(error) || losses === mostLosses) throw failure
      losses += 1
    }
    // Callers who were refused together are not to come back together.
    const waitMs = (refused ? refusedWaitMs : waitsMs.first) * (0.5 + Math.random() / 2)
    if (refused) refusedWaitMs = Math.min(2 * refusedWaitMs, waitsMs.most)
    if (performance.now() + waitMs > (refused ? patientUntilMs : expiresAtMs)) throw failure
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

/** The worker went away with the request, or its engine did. */
const isLoss = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'unavailable' || error.code === 'upstream_error')

const allFull = (error: unknown): unknown =>
  error instanceof ServiceError && error.code === 'capacity_exhausted'
    ? error
    : new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again shortly.')
