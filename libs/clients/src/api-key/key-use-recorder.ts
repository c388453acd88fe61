import type { authContract } from '@parlance/contracts'
import type { z } from 'zod'

type KeyUse = z.input<typeof authContract.methods.recordKeyUse.request>['uses'][number]

export interface KeyUseRecorderOptions {
  /** Sends a batch to auth. */
  record: (uses: KeyUse[]) => Promise<unknown>
  flushIntervalMs?: number
  /** In ms since 1970. */
  now?: () => number
}

/** Records when keys are used, for the `last used` of lists. */
export interface KeyUseRecorder {
  used(keyId: string): void
  /** Sends the remaining uses and ends the timer. Never rejects; uses that cannot be sent are lost. */
  stop(): Promise<void>
}

/** The maximum number of keys in one call. */
const maxBatchSize = 10_000

/**
 * Keeps the time of the last use of each key and sends these times in batches. A batch that fails is sent with the next
 * one.
 */
export const createKeyUseRecorder = (options: KeyUseRecorderOptions): KeyUseRecorder => {
  const { record, flushIntervalMs = 5_000, now = Date.now } = options
  const lastUseMs = new Map<string, number>()

  const flush = async (): Promise<void> => {
    while (lastUseMs.size > 0) {
      const batch = [...lastUseMs].slice(0, maxBatchSize)
      for (const [keyId] of batch) lastUseMs.delete(keyId)
      try {
        await record(batch.map(([key_id, ms]) => ({ key_id, last_used_at: new Date(ms).toISOString() })))
      } catch {
        // Uses that were recorded meanwhile are newer.
        for (const [keyId, ms] of batch) if (!lastUseMs.has(keyId)) lastUseMs.set(keyId, ms)
        return
      }
    }
  }

  let flushing = Promise.resolve()
  const timer = setInterval(() => {
    flushing = flushing.then(flush)
  }, flushIntervalMs)
  timer.unref()

  return {
    used(keyId) {
      lastUseMs.set(keyId, now())
    },
    async stop() {
      clearInterval(timer)
      await flushing
      await flush()
    },
  }
}
