import { lengthOf } from './bus.js'

/**
 * Frames on their way into messages: every message wakes the sender's, the bus's and the receiver's process, whatever is
 * in it. A frame leaves with this turn of the event loop, but where one has just left it gathers for a moment with those
 * that come after it: so what is made in real time is never kept, and what is made faster comes in fewer pieces, the more so
 * the further it is ahead of any listener.
 */
export interface FrameBatch {
  /** In pieces that follow each other, and do not change. Of itself it may be kept for so long, with others it leaves sooner. */
  add(frame: readonly Uint8Array[], keepMs?: number): void
  /** Sends what there is now. Throws what sending throws. */
  flush(): void
  /** Sends nothing any more. */
  drop(): void
}

/** More than that waits for nothing: one message of megabytes would keep others waiting behind it. */
const mostBytes = 192 * 1024
const gatherMs = { usual: 20, ahead: 60 }
/** Audio of 48 kHz and 16 bits, the most there is: what has been sent beyond that is ahead. */
const bytesPerMs = 96
const aheadBytes = 64 * 1024

/** `onFailure` is called when sending throws where nobody is there to catch it. */
export const createFrameBatch = (send: (message: readonly Uint8Array[]) => void, onFailure: () => void): FrameBatch => {
  let pieces: Uint8Array[] = []
  let bytes = 0
  /** Sent, less what can have been listened to since. */
  let unheardBytes = 0
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
    unheardBytes = Math.max(0, unheardBytes - (nowMs - sentAtMs) * bytesPerMs) + lengthOf(message)
    sentAtMs = nowMs
    send(message)
  }
  const flushLater = () => {
    try {
      flush()
    } catch {
      onFailure()
    }
  }

  return {
    add(frame, keepMs = 0) {
      const frameBytes = lengthOf(frame)
      if (bytes + frameBytes > mostBytes) flush()
      pieces.push(...frame)
      bytes += frameBytes
      const nowMs = performance.now()
      const dueMs = Math.max(nowMs + keepMs, sentAtMs + (unheardBytes < aheadBytes ? gatherMs.usual : gatherMs.ahead))
      if (dueMs >= dueAtMs) return
      clearTimeout(timer)
      dueAtMs = dueMs
      if (dueMs > nowMs) timer = setTimeout(flushLater, dueMs - nowMs)
      else setImmediate(flushLater)
    },
    flush,
    drop: () => void take(),
  }
}
