import { createFairSemaphore } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'

interface TranscriptionTurnsOptions {
  /** How many run at once. */
  readonly limit: number
  /** How many of a workspace may wait. */
  readonly maxWaitingPerWorkspace: number
  readonly maxWaitMs: number
}

/** The weight of the last turn in the mean duration of turns. */
const weightOfLast = 0.3
const firstMeanMs = 2_000
const maxRetryAfterSeconds = 120

/**
 * Limits how many transcriptions run at once, so that conversations find idle recognizers. One of each workspace runs at a time,
 * in order of arrival, so that the files of one workspace do not delay those of another.
 */
export const createTranscriptionTurns = (options: TranscriptionTurnsOptions) => {
  const { limit, maxWaitingPerWorkspace, maxWaitMs } = options
  const permits = createFairSemaphore(limit, 1)
  let meanMs = firstMeanMs

  /** The retry time is the estimated end of the turns that run and wait now. */
  const exhausted = () => {
    const seconds = Math.ceil((meanMs * (permits.waiting() + 1)) / limit / 1000)
    return new ServiceError('capacity_exhausted', 'Too many files are being transcribed now. Try again.', {
      retryAfterSeconds: Math.min(maxRetryAfterSeconds, Math.max(1, seconds)),
    })
  }

  const acquire = async (workspaceId: string, signal: AbortSignal): Promise<() => void> => {
    if (permits.waiting(workspaceId) >= maxWaitingPerWorkspace) throw exhausted()
    const tooLate = AbortSignal.timeout(maxWaitMs)
    try {
      return await permits.acquire(workspaceId, AbortSignal.any([signal, tooLate]))
    } catch (error) {
      signal.throwIfAborted()
      throw tooLate.aborted ? exhausted() : error
    }
  }

  return {
    /**
     * Resolves with the function that ends the turn. Rejects with `capacity_exhausted` after `maxWaitMs`, or at once when too many
     * of the workspace wait, and with the reason of the signal.
     */
    async take(workspaceId: string, signal: AbortSignal): Promise<() => void> {
      const release = await acquire(workspaceId, signal)
      const startedMs = performance.now()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        meanMs += weightOfLast * (performance.now() - startedMs - meanMs)
        release()
      }
    },
  }
}
