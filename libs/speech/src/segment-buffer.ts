import type { Sink } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { OutboundChunks } from './outbound-chunks.js'

interface SegmentCut {
  /** How many segments were completed since the last cut. */
  readonly completeSegments: number
  /** Whether part of the incomplete segment was delivered. */
  readonly isPartlyDelivered: boolean
}

export interface SegmentBufferLimits {
  /** The longest time for which a segment is kept, in ms. Default: until it is complete. */
  readonly maxHoldMs?: number
  /** The buffer is full when it has this much audio. Default 8 MiB, which is more than any segment has, and no limit in ms. */
  readonly maxBytes?: number
  readonly maxMs?: number
}

/** A segment is delivered before it is complete when the listener has less audio than this. */
const minAheadMs = 500

type Limits = Required<SegmentBufferLimits>

const shareOf = (chunk: SynthesisChunk, { maxBytes, maxMs }: Limits): number =>
  chunk.event === 'audio' ? Math.max(chunk.data.length / maxBytes, chunk.duration_ms / maxMs) : 0

/**
 * Keeps the chunks of a segment until it is complete, so that a synthesis that is lost in the middle of a segment can
 * be requested again from the start of that segment, with nothing of it delivered.
 *
 * - A segment is delivered before it is complete only when the listener would otherwise run out of audio, or when the buffer
 *   is full.
 * - While the sink has no room, chunks are accepted until the segment is complete, or the buffer is full.
 * - Each method fails with the error of the sink.
 */
export class SegmentBuffer {
  readonly #limits: Limits
  readonly #outbound: OutboundChunks
  /** Of the incomplete segment. */
  readonly #kept: SynthesisChunk[] = []
  #keptSinceMs = 0
  /** The share of the buffer that `#kept` occupies. */
  #keptFullness = 0
  #completeSegments = 0
  /** The chunks of the incomplete segment are delivered as they arrive. */
  #isReleased = false
  /** The latest chunk completes a segment. */
  #isComplete = true
  #timer: NodeJS.Timeout | undefined
  #wakeProducer = () => {}

  constructor(
    sink: Sink<SynthesisChunk>,
    {
      maxHoldMs = Number.POSITIVE_INFINITY,
      maxBytes = 8 * 1024 * 1024,
      maxMs = Number.POSITIVE_INFINITY,
    }: SegmentBufferLimits = {},
  ) {
    const limits = { maxHoldMs, maxBytes, maxMs }
    this.#limits = limits
    this.#outbound = new OutboundChunks({
      sink,
      shareOf: (chunk) => shareOf(chunk, limits),
      onDelivered: () => this.#wakeProducer(),
      onRoom: () => {
        this.#releaseWhenDue()
        this.#wakeProducer()
      },
      onFailure: () => this.#dropKept(),
    })
  }

  /** Accepts the next chunk. Returns a promise when there is no room for another, which resolves when there is. */
  add(chunk: SynthesisChunk): void | Promise<void> {
    const isPartOfSegment = chunk.event === 'audio' || chunk.event === 'alignment'
    this.#isComplete = chunk.event === 'segment'
    if (this.#isComplete) this.#completeSegments += 1
    if (isPartOfSegment && !this.#isReleased) this.#keep(chunk)
    else {
      this.#isReleased = isPartOfSegment
      if (this.#kept.length > 0) this.#outbound.push(...this.#takeKept())
      this.#outbound.push(chunk)
    }
    this.#outbound.throwIfFailed()
    if (!this.#hasRoom()) return this.#untilRoom()
  }

  /** The synthesis was lost. Drops what is kept of an incomplete segment. */
  cut(): SegmentCut {
    this.#outbound.throwIfFailed()
    const cut = { completeSegments: this.#completeSegments, isPartlyDelivered: this.#isReleased }
    this.#completeSegments = 0
    this.#isReleased = false
    this.#dropKept()
    return cut
  }

  /** Resolves when everything that may be delivered was delivered. */
  drained(): Promise<void> {
    return this.#outbound.drained()
  }

  /** Discards all chunks. */
  close(): void {
    this.#outbound.clear()
    this.#dropKept()
  }

  #keep(chunk: SynthesisChunk): void {
    if (this.#kept.length === 0) this.#keptSinceMs = performance.now()
    this.#kept.push(chunk)
    this.#keptFullness += shareOf(chunk, this.#limits)
    if (this.#timer === undefined || this.#isFull()) this.#releaseWhenDue()
  }

  /** Releases the incomplete segment when the listener needs it, or the buffer is full; looks again later otherwise. */
  #releaseWhenDue(): void {
    this.#stopTimer()
    if (this.#kept.length === 0 || this.#outbound.isWaiting) return
    const dueAtMs = Math.min(this.#outbound.playedAtMs - minAheadMs, this.#keptSinceMs + this.#limits.maxHoldMs)
    const leftMs = this.#isFull() ? 0 : dueAtMs - performance.now()
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#releaseWhenDue(), leftMs)
      return
    }
    this.#isReleased = true
    this.#outbound.push(...this.#takeKept())
  }

  #isFull(): boolean {
    return this.#outbound.fullness + this.#keptFullness >= 1 && !this.#outbound.hasFailed
  }

  #hasRoom(): boolean {
    return !this.#outbound.isWaiting || (!this.#isComplete && !this.#isFull())
  }

  async #untilRoom(): Promise<void> {
    while (!this.#hasRoom()) {
      await new Promise<void>((resolve) => {
        this.#wakeProducer = resolve
      })
    }
    this.#outbound.throwIfFailed()
  }

  #takeKept(): SynthesisChunk[] {
    const kept = this.#kept.splice(0)
    this.#dropKept()
    return kept
  }

  #dropKept(): void {
    this.#stopTimer()
    this.#kept.length = 0
    this.#keptFullness = 0
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
