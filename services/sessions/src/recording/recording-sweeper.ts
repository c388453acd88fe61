/**
 * Removes the audio of recordings that have expired or are to be deleted. What is due is in the database, so a sweep survives
 * restarts. Every instance does this, and several may at the same time: to remove audio twice changes nothing.
 */
import type { Logger } from '@parlance/telemetry'
import type { DueRecordings } from './due-recordings.js'
import { type RecordingStorage, recordingKey } from './storage/recording-storage.js'

export interface RecordingSweeperOptions {
  readonly due: DueRecordings
  readonly storage: Pick<RecordingStorage, 'remove'>
  readonly logger: Logger
}

export interface RecordingSweeper {
  /** Something is due. Returns at once. */
  wake(): void
  /** Resolves when nothing is being removed. */
  stop(): Promise<void>
}

const everyMs = 30_000
const maxAtOnce = 100

export const startRecordingSweeper = ({ due, storage, logger }: RecordingSweeperOptions): RecordingSweeper => {
  let sweeping: Promise<void> | undefined
  let isWoken = false
  let stopped = false

  const sweepOnce = async (): Promise<void> => {
    const failed = await due.failOrphans()
    if (failed > 0) logger.warn({ count: failed }, 'Recordings of an instance that stopped were marked as failed')
    for (let found = maxAtOnce; found === maxAtOnce && !stopped; ) {
      const recordings = await due.list(maxAtOnce)
      found = recordings.length
      for (const recording of recordings) {
        await storage.remove(recordingKey(recording.workspaceId, recording.sessionId))
        await due.removed(recording)
      }
    }
  }

  const sweep = async (): Promise<void> => {
    do {
      isWoken = false
      await sweepOnce().catch((err: unknown) =>
        logger.warn({ err }, 'Recordings that are due could not be removed; it is tried again'),
      )
    } while (isWoken && !stopped)
    sweeping = undefined
  }

  const wake = (): void => {
    if (stopped) return
    isWoken = true
    sweeping ??= sweep()
  }
  const timer = setInterval(wake, everyMs)
  wake()

  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      await sweeping
    },
  }
}
