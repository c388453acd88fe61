import { lengthOf } from '../bus.js'

/** A message of several megabytes would delay all others. */
const maxBatchBytes = 192 * 1024
const minIntervalMs = { realTime: 20, ahead: 60 }
/** Audio at 48 kHz and 16 bits, the highest rate in use: anything faster is ahead of its playback. */
const playbackBytesPerMs = 96
const aheadBytes = 64 * 1024

/**
 * Batches frames into messages, because each message wakes three processes: the sender's, the bus and the receiver's.
 *
 * A frame leaves at the end of the tick. If a message left shortly before, the frame waits with those that follow it. So
 * audio that is produced in real time is not delayed, and audio that is produced faster is sent in fewer messages, the fewer
 * the further it is ahead of playback.
 *
 * `onFailure` is called with what `send` throws.
 */
export const createFrameBatch = (
  send: (message: readonly Uint8Array[]) => void,
  onFailure: (reason: unknown) => void,
) => {
  let pieces: Uint8Array[] = []
  let bytes = 0
  /** The bytes that were sent, minus those that can have been played since. */
  let unplayedBytes = 0
  let sentAtMs = Number.NEGATIVE_INFINITY
  let dueAtMs = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const take = (): readonly Uint8Array[] => {
    clearTimeout(timer)
    dueAtMs = Number.POSITIVE_INFINITY
    const message = pieces
    pieces = []
    bytes = 0
    return message
  }
  const flush = () => {
    const message = take()
    if (message.length === 0) return
    const nowMs = performance.now()
    unplayedBytes = Math.max(0, unplayedBytes - (nowMs - sentAtMs) * playbackBytesPerMs) + lengthOf(message)
    sentAtMs = nowMs
    try {
      send(message)
    } catch (reason) {
      onFailure(reason)
    }
  }

  return {
    /** Adds a frame, in parts that must not change. It may wait up to `maxDelayMs` for other frames, and leaves with them. */
    add(frame: readonly Uint8Array[], maxDelayMs = 0): void {
      const frameBytes = lengthOf(frame)
      if (bytes + frameBytes > maxBatchBytes) flush()
      pieces.push(...frame)
      bytes += frameBytes
      const nowMs = performance.now()
      const intervalMs = unplayedBytes < aheadBytes ? minIntervalMs.realTime : minIntervalMs.ahead
      const dueMs = Math.max(nowMs + maxDelayMs, sentAtMs + intervalMs)
      if (dueMs >= dueAtMs) return
      clearTimeout(timer)
      dueAtMs = dueMs
      if (dueMs > nowMs) timer = setTimeout(flush, dueMs - nowMs)
      else setImmediate(flush)
    },
    /** Sends all frames now. */
    flush,
    /** Discards all frames. */
    clear: (): void => void take(),
  }
}

export type FrameBatch = ReturnType<typeof createFrameBatch>
