/**
 * Frames on their way into messages: every message wakes the sender's, the bus's and the receiver's process, whatever is
 * in it. A frame leaves with this turn of the event loop, but where one has just left it gathers for a moment with those
 * that come after it: so what is made in real time is never kept, and what is made faster comes in fewer pieces.
 */
export interface GatheredFrames {
  add(frame: Uint8Array): void
  /** Sends what there is now. Throws what sending throws. */
  flush(): void
  /** Sends nothing any more. */
  drop(): void
}

/** More than that waits for nothing: one message of megabytes would keep others waiting behind it. */
const mostBytes = 64 * 1024
const gatherMs = 20

/** `onFailure` is called when sending throws where nobody is there to catch it. */
export const createGatheredFrames = (send: (message: Uint8Array) => void, onFailure: () => void): GatheredFrames => {
  let frames: Uint8Array[] = []
  let bytes = 0
  let sentAtMs = Number.NEGATIVE_INFINITY
  let waiting = false
  let timer: NodeJS.Timeout | undefined

  const take = (): Uint8Array | undefined => {
    clearTimeout(timer)
    waiting = false
    const message = frames.length === 1 ? frames[0] : Buffer.concat(frames)
    const any = frames.length > 0
    frames = []
    bytes = 0
    return any ? message : undefined
  }
  const flush = () => {
    const message = take()
    if (message === undefined) return
    sentAtMs = performance.now()
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
    add(frame) {
      if (bytes + frame.length > mostBytes) flush()
      frames.push(frame)
      bytes += frame.length
      if (waiting) return
      waiting = true
      const leftMs = sentAtMs + gatherMs - performance.now()
      if (leftMs > 0) timer = setTimeout(flushLater, leftMs)
      else setImmediate(flushLater)
    },
    flush,
    drop: () => void take(),
  }
}
