import type { authContract } from '@parlance/contracts'
import { startSweep } from '@parlance/store'
import type { z } from 'zod'

type KeyUse = z.input<typeof authContract.methods.recordKeyUse.request>['uses'][number]

interface KeyUseRecorderOptions {
  /** Sends a batch to auth. */
  record: (uses: KeyUse[]) => Promise<unknown>
  flushIntervalMs?: number
  /** In ms since 1970. */
  now?: () => number
}

/** The maximum number of keys in one call. */
const maxBatchSize = 10_000

/**
 * Records when keys are used, for the `last used` of lists. It keeps the time of the last use of each key and sends these
 * times in batches. A batch that fails is sent with the next one.
 */
export const createKeyUseRecorder = (options: KeyUseRecorderOptions) => {
  const { record, flushIntervalMs = 5_000, now = Date.now } = options
  const lastUseMs = new Map<string, number>()

  const flush = async (): Promise<void> => {
    while (lastUseMs.size > 0) {
      const batch = [...lastUseMs].slice(0, maxBatchSize)
      for (const [keyId] of batch) lastUseMs.delete(keyId)
      try {
        await record(batch.map(([key_id, ms]) => ({ key_id, last_used_at: new Date(ms).toISOString() })))
      } catch (error) {
        // Uses that were recorded meanwhile are newer.
        for (const [keyId, ms] of batch) if (!lastUseMs.has(keyId)) lastUseMs.set(keyId, ms)
        throw error
      }
    }
  }

  const sweep = startSweep(flush, { everyMs: flushIntervalMs, onFailed: () => {} })

  return {
    used(keyId: string): void {
      lastUseMs.set(keyId, now())
    },
    /** Sends the remaining uses and ends the timer. Never rejects; uses that cannot be sent are lost. */
    async stop(): Promise<void> {
      await sweep.stop()
      await flush().catch(() => {})
    },
  }
}
