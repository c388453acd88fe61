import type { Sink } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'

/**
 * Keeps the chunks of a segment until it is complete, so that a synthesis that is lost in the middle of a segment can be
 * asked for again from the beginning of that segment.
 *
 * - A segment is given before it is complete only when the listener would otherwise run out of audio, or when the buffer is
 *   full.
 * - While the sink has no room, chunks are accepted until the segment is complete, or the buffer is full.
 */
export interface SegmentBuffer {
  /**
   * Accepts the next chunk. Returns a promise when there is no room for another, which resolves when there is. Throws, or
   * rejects with, what the sink failed with.
   */
  add(chunk: SynthesisChunk): void | Promise<void>
  /**
   * The synthesis was lost. Drops what is kept of an incomplete segment. Returns how many segments were complete since the
   * last call, or undefined when part of the incomplete segment was given. Throws what the sink failed with.
   */
  cut(): number | undefined
  /** Calls `action` after everything that was added before was given. */
  whenGiven(action: () => void | Promise<void>): void
  /** Resolves when everything that may be given was given. Rejects with what the sink failed with. */
  drained(): Promise<void>
  /** Drops everything. */
  close(): void
}

export interface SegmentBufferLimits {
  /** How long a segment is kept at most, in ms. Default: until it is complete. */
  readonly maxHoldMs?: number
  /** The buffer is full when it has this much audio. Default 8 MiB, which is more than any segment has, and no limit in ms. */
  readonly maxBytes?: number
  readonly maxMs?: number
}

/** A segment is given before it is complete when the listener has less audio than this. */
const minAheadMs = 500

type Item = SynthesisChunk | (() => void | Promise<void>)

/** An empty buffer before `sink`. Methods fail with what the sink failed with. */
export const createSegmentBuffer = (
  sink: Sink<SynthesisChunk>,
  {
    maxHoldMs = Number.POSITIVE_INFINITY,
    maxBytes = 8 * 1024 * 1024,
    maxMs = Number.POSITIVE_INFINITY,
  }: SegmentBufferLimits = {},
): SegmentBuffer => {
  /** To be given when the sink has room. */
  const ready: Item[] = []
  /** Of the incomplete segment. */
  const kept: SynthesisChunk[] = []
  let keptSinceMs = 0
  /** Of `ready` and `kept`, from 0 to 1. */
  let fullness = 0
  let completeSegments = 0
  /** The chunks of the incomplete segment are given as they come. */
  let isReleased = false
  /** The latest chunk completes a segment. */
  let isComplete = true
  /** The sink has no room. */
  let isWaiting = false
  let failure: { readonly reason: unknown } | undefined
  let timer: NodeJS.Timeout | undefined
  /** When the audio that was given will have been played. */
  let playedAtMs = Number.NEGATIVE_INFINITY
  let wakeProducer = () => {}
  let wakeDrained = () => {}

  const isFull = () => fullness >= 1 && failure === undefined
  const shareOf = (item: Item): number =>
    typeof item === 'function' || item.event !== 'audio'
      ? 0
      : Math.max(item.data.length / maxBytes, item.duration_ms / maxMs)

  const clear = () => {
    clearTimeout(timer)
    timer = undefined
    ready.length = 0
    kept.length = 0
    fullness = 0
  }

  const failWith = (reason: unknown) => {
    failure ??= { reason }
    clear()
  }

  const give = (item: Item): void | Promise<void> => {
    if (typeof item === 'function') return item()
    if (item.event === 'audio') playedAtMs = Math.max(playedAtMs, performance.now()) + item.duration_ms
    return sink(item)
  }

  const giveNext = (): void | Promise<void> => {
    const item = ready.shift()!
    fullness = ready.length + kept.length === 0 ? 0 : fullness - shareOf(item)
    return give(item)
  }

  const giveWhenRoom = async (room: Promise<void>): Promise<void> => {
    isWaiting = true
    try {
      await room
      while (ready.length > 0) {
        const more = giveNext()
        wakeProducer()
        if (more !== undefined) await more
      }
    } catch (reason) {
      failWith(reason)
    }
    isWaiting = false
    releaseWhenDue()
    wakeProducer()
    wakeDrained()
  }

  const giveReady = (): void => {
    try {
      while (!isWaiting && ready.length > 0) {
        const room = giveNext()
        if (room !== undefined) void giveWhenRoom(room)
      }
    } catch (reason) {
      failWith(reason)
    }
  }

  /** Releases the incomplete segment when the listener needs it, or the buffer is full; looks again later otherwise. */
  const releaseWhenDue = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (kept.length === 0 || isWaiting) return
    const dueAtMs = isFull() ? 0 : Math.min(playedAtMs - minAheadMs, keptSinceMs + maxHoldMs)
    const leftMs = dueAtMs - performance.now()
    if (leftMs > 0) {
      timer = setTimeout(releaseWhenDue, leftMs)
      return
    }
    isReleased = true
    ready.push(...kept.splice(0))
    giveReady()
  }

  const hasRoom = () => !isWaiting || (!isComplete && !isFull())

  const untilRoom = async (): Promise<void> => {
    while (!hasRoom()) {
      await new Promise<void>((resolve) => {
        wakeProducer = resolve
      })
    }
    if (failure !== undefined) throw failure.reason
  }

  return {
    add(chunk) {
      const isPartOfSegment = chunk.event === 'audio' || chunk.event === 'alignment'
      isComplete = chunk.event === 'segment'
      if (isComplete) completeSegments += 1
      fullness += shareOf(chunk)
      if (isPartOfSegment && !isReleased) {
        if (kept.length === 0) keptSinceMs = performance.now()
        kept.push(chunk)
        if (timer === undefined || isFull()) releaseWhenDue()
      } else {
        clearTimeout(timer)
        timer = undefined
        isReleased = isPartOfSegment
        if (kept.length > 0) ready.push(...kept.splice(0))
        ready.push(chunk)
        giveReady()
      }
      if (failure !== undefined) throw failure.reason
      if (!hasRoom()) return untilRoom()
    },

    cut() {
      if (failure !== undefined) throw failure.reason
      const segments = isReleased ? undefined : completeSegments
      completeSegments = 0
      isReleased = false
      clearTimeout(timer)
      timer = undefined
      for (const chunk of kept.splice(0)) fullness -= shareOf(chunk)
      return segments
    },

    whenGiven(action) {
      ready.push(action)
      giveReady()
    },

    async drained() {
      while (isWaiting) {
        await new Promise<void>((resolve) => {
          wakeDrained = resolve
        })
      }
      if (failure !== undefined) throw failure.reason
    },

    close: clear,
  }
}
