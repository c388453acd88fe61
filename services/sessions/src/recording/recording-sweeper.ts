/**
 * Removes the audio of recordings that have expired or are marked for deletion, and once a day unfinished objects. Due work is
 * in the database, so sweeps survive restarts. Every instance does this, and several may at the same time: to remove audio
 * twice changes nothing.
 */
import { type Sweep, startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { DueRecordings } from './due-recordings.js'
import { type RecordingStorage, recordingKey } from './storage/recording-storage.js'

export interface RecordingSweeperOptions {
  readonly due: DueRecordings
  readonly storage: Pick<RecordingStorage, 'remove' | 'removeUnfinished'>
  readonly logger: Logger
}

const everyMs = 30_000
const maxAtOnce = 100
const unfinishedEveryMs = 24 * 3_600_000
/** Longer than a conversation may take, which is a day. */
const unfinishedAfterMs = 2 * 24 * 3_600_000

export const startRecordingSweeper = ({ due, storage, logger }: RecordingSweeperOptions): Sweep => {
  let unfinishedAtMs = performance.now()

  const removeDue = async (signal: AbortSignal): Promise<void> => {
    const failed = await due.failOrphans()
    if (failed > 0) logger.warn({ count: failed }, 'Recordings of an instance that stopped were marked as failed')
    for (let found = maxAtOnce; found === maxAtOnce && !signal.aborted; ) {
      const recordings = await due.list(maxAtOnce)
      found = recordings.length
      for (const recording of recordings) {
        await storage.remove(recordingKey(recording.workspaceId, recording.sessionId))
        await due.removed(recording)
      }
    }
  }

  const removeUnfinished = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted || performance.now() < unfinishedAtMs) return
    unfinishedAtMs = performance.now() + unfinishedEveryMs
    try {
      const removed = await storage.removeUnfinished(new Date(Date.now() - unfinishedAfterMs), signal)
      if (removed > 0) logger.info({ count: removed }, 'Recordings that were never finished were removed')
    } catch (err) {
      if (!signal.aborted) {
        logger.warn({ err }, 'Recordings that were never finished could not be removed; it is tried again in a day')
      }
    }
  }

  const onFailed = (err: unknown): void =>
    logger.warn({ err }, 'Recordings that are due could not be removed; it is tried again')
  const sweep = startSweep(
    async (signal) => {
      await removeDue(signal).catch(onFailed)
      await removeUnfinished(signal)
    },
    { everyMs, onFailed },
  )
  sweep.wake()
  return sweep
}
