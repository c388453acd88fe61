import type { Sink } from '@parlance/async/push-stream'
import type { ChunkPacking } from '@parlance/contracts'
import type { z } from 'zod'
import { decodeChunk, decodePacked } from './stream-frame.js'
import { windowUpdateThreshold } from './stream-window.js'

interface ChunkReceiverOptions {
  readonly schema: z.ZodType
  readonly packing?: ChunkPacking<unknown> | undefined
  /** The sink has taken this many chunks, so the sender may send as many more. Called at most once per tick. */
  readonly onTaken: (chunks: number) => void
  /** The sink threw or rejected. */
  readonly onSinkFailure: (reason: unknown) => void
}

/** A chunk's number is not the next one: chunks before it were lost. */
export class SequenceGapError extends Error {}

interface Received {
  readonly value: unknown
  readonly bytes: number
}

/**
 * The receiving half of a stream.
 *
 * Invariants:
 * - chunks are delivered to the sink in the order in which they were sent, each once, synchronously while the sink is ready;
 * - a gap in the numbers is an error;
 * - the window is updated for a chunk after the sink has taken it, so at most a window of chunks waits here.
 */
export class ChunkReceiver {
  readonly #options: ChunkReceiverOptions
  readonly #waiting: Received[] = []
  #sink: Sink<unknown> | undefined
  /** `blocked` until the sink, or its promise, has room for the next chunk. */
  #state: 'blocked' | 'ready' | 'discarding' = 'blocked'
  #count = 0
  #takenChunks = 0
  #takenBytes = 0
  #isUpdateScheduled = false
  #onTaken: (() => void) | undefined

  constructor(options: ChunkReceiverOptions) {
    this.#options = options
  }

  /** The number of chunks received. */
  get count(): number {
    return this.#count
  }

  /** Delivers the waiting chunks, and those that arrive later, to `sink`. */
  start(sink: Sink<unknown>): void {
    this.#sink = sink
    this.#continue()
  }

  /** Throws `SequenceGapError`, or what decoding throws. */
  receive(sequence: number, bytes: Buffer, start: number, end: number, isPacked = false): void {
    this.checkSequence(sequence)
    const { schema, packing } = this.#options
    const value = isPacked ? decodePacked(bytes, start, end, packing!) : schema.parse(decodeChunk(bytes, start, end))
    this.#count += 1
    if (this.#state === 'ready') this.#deliver(value, end - start)
    else if (this.#state === 'blocked') this.#waiting.push({ value, bytes: end - start })
  }

  /** Throws `SequenceGapError` unless exactly `sequence` chunks were received. */
  checkSequence(sequence: number): void {
    if (sequence !== this.#count) throw new SequenceGapError(`chunk ${this.#count} is missing before ${sequence}`)
  }

  /** Calls `listener` when the sink has taken all chunks received so far; never after `discard`. */
  whenTaken(listener: () => void): void {
    if (this.#state === 'ready' && this.#waiting.length === 0) listener()
    else this.#onTaken = listener
  }

  /** Delivers no more chunks to the sink. */
  discard(): void {
    this.#state = 'discarding'
    this.#waiting.length = 0
    this.#onTaken = undefined
  }

  #deliver(value: unknown, bytes: number): void {
    let room: void | Promise<void>
    try {
      room = this.#sink!(value)
    } catch (reason) {
      this.#options.onSinkFailure(reason)
      return
    }
    if (room === undefined) {
      this.#taken(bytes)
      return
    }
    // The sink itself may have called `discard`.
    if (this.#state === 'ready') this.#state = 'blocked'
    room.then(
      () => {
        this.#taken(bytes)
        this.#continue()
      },
      (reason) => this.#options.onSinkFailure(reason),
    )
  }

  #continue(): void {
    if (this.#state === 'discarding') return
    this.#state = 'ready'
    while (this.#state === 'ready' && this.#waiting.length > 0) {
      const { value, bytes } = this.#waiting.shift()!
      this.#deliver(value, bytes)
    }
    if (this.#state !== 'ready') return
    const onTaken = this.#onTaken
    this.#onTaken = undefined
    onTaken?.()
  }

  #taken(bytes: number): void {
    this.#takenChunks += 1
    this.#takenBytes += bytes
    if (this.#takenChunks < windowUpdateThreshold.chunks && this.#takenBytes < windowUpdateThreshold.bytes) return
    if (this.#isUpdateScheduled) return
    this.#isUpdateScheduled = true
    setImmediate(this.#updateWindow)
  }

  readonly #updateWindow = (): void => {
    this.#isUpdateScheduled = false
    this.#options.onTaken(this.#takenChunks)
    this.#takenChunks = 0
    this.#takenBytes = 0
  }
}
