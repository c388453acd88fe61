import { createSemaphore } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'

/**
 * Turns of transcriptions, of which only so many run at once, so that conversations find recognisers idle. The others wait, in the
 * order in which they came.
 */
export interface TranscriptionTurns {
  /**
   * Resolves with the function that ends the turn. Rejects with `capacity_exhausted` after `maxWaitMs`, or at once when too many
   * wait, and with the reason of the signal.
   */
  take(signal: AbortSignal): Promise<() => void>
}

export interface TranscriptionTurnsOptions {
  /** How many run at once. */
  readonly limit: number
  /** How many may wait. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
  /** A clock in ms since any point; `performance.now` if not given. */
  readonly now?: () => number
}

/** How much the last turn counts in the mean of their durations. */
const weightOfLast = 0.3
const firstMeanMs = 2_000
const maxRetryAfterSeconds = 120

export const createTranscriptionTurns = (options: TranscriptionTurnsOptions): TranscriptionTurns => {
  const { limit, maxWaiting, maxWaitMs, now = () => performance.now() } = options
  const permits = createSemaphore(limit)
  let waiting = 0
  let meanMs = firstMeanMs

  /** The time after which those that run and wait now will have ended. */
  const exhausted = () => {
    const seconds = Math.ceil((meanMs * (waiting + 1)) / limit / 1000)
    return new ServiceError('capacity_exhausted', 'Too many files are being transcribed now. Try again.', {
      retryAfterSeconds: Math.min(maxRetryAfterSeconds, Math.max(1, seconds)),
    })
  }

  const acquire = async (signal: AbortSignal): Promise<() => void> => {
    const permit = permits.tryAcquire()
    if (permit !== undefined) return permit
    if (waiting >= maxWaiting) throw exhausted()
    const tooLate = AbortSignal.timeout(maxWaitMs)
    waiting += 1
    try {
      return await permits.acquire(AbortSignal.any([signal, tooLate]))
    } catch (error) {
      signal.throwIfAborted()
      throw tooLate.aborted ? exhausted() : error
    } finally {
      waiting -= 1
    }
  }

  return {
    async take(signal) {
      const release = await acquire(signal)
      const startedMs = now()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        meanMs += weightOfLast * (now() - startedMs - meanMs)
        release()
      }
    },
  }
}
