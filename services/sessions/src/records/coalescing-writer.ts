import { type Backoff, backoffMs } from '@parlance/async'

interface CoalescingWriterOptions {
  /** Writes the complete current state: a write that failed may have been applied, and is repeated. */
  write(): Promise<void>
  /** How long changes are collected before they are written, in ms. */
  readonly collectMs: number
  readonly backoff: Backoff
  readonly finishWithinMs: number
}

/** Writes after changes: changes of a short time are written together, one write at a time. A failed write is repeated. */
export const createCoalescingWriter = (options: CoalescingWriterOptions) => {
  const { write, collectMs, backoff, finishWithinMs } = options
  let hasChanges = false
  let giveUpAtMs: number | undefined
  let writing: Promise<void> | undefined
  let endPause = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const writeAll = async (): Promise<void> => {
    let failures = 0
    while (hasChanges) {
      if (failures > 0) await pause(backoffMs(backoff, failures))
      else if (giveUpAtMs === undefined) await pause(collectMs)
      hasChanges = false
      try {
        await write()
        failures = 0
      } catch (error) {
        hasChanges = true
        failures += 1
        if (giveUpAtMs !== undefined && performance.now() > giveUpAtMs) throw error
      }
    }
    // Set without an await after the last check, so that the next change starts a new loop.
    writing = undefined
  }

  const changed = (): void => {
    hasChanges = true
    writing ??= writeAll()
  }

  return {
    /** Schedules a write. Returns at once. */
    changed,
    /**
     * Writes without waiting for more changes. Resolves when all is written; rejects with the error of the last write when that
     * failed for `finishWithinMs`.
     */
    async finish() {
      giveUpAtMs = performance.now() + finishWithinMs
      changed()
      endPause()
      await writing
    },
  }
}
