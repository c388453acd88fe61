import type { ChunkPacking } from '@parlance/contracts'
import { lengthOf } from '../bus.js'
import type { FrameBatch } from './frame-batch.js'
import { type ChunkKinds, encodeChunk, encodeFrame } from './stream-frame.js'
import { createSendWindow, type SendWindow, type StreamWindow } from './stream-window.js'

/**
 * The sending half of a stream.
 *
 * Invariants:
 * - chunks are numbered from 0 and leave in the order of `send`;
 * - no more chunks are in flight than the receiver's window allows; the others wait here;
 * - while chunks wait, no frame is kept in the batch: the receiver would never update the window for it.
 */
export class ChunkSender {
  readonly #frames: FrameBatch
  readonly #kinds: ChunkKinds
  readonly #packing: ChunkPacking<unknown> | undefined
  readonly #waiting: object[] = []
  #window: SendWindow | undefined
  #sequence = 0
  #state: 'open' | 'ending' | 'closed' = 'open'
  #drained: Promise<void> | undefined
  #onDrained = () => {}

  constructor(frames: FrameBatch, kinds: ChunkKinds, packing?: ChunkPacking<unknown>) {
    this.#frames = frames
    this.#kinds = kinds
    this.#packing = packing
  }

  /** The number of chunks sent. */
  get count(): number {
    return this.#sequence
  }

  /** The receiver is known. Nothing is sent before. */
  open(window: StreamWindow): void {
    this.#window = createSendWindow(window)
    this.#sendWaiting()
  }

  /** Returns nothing for a chunk that was sent, else a promise that resolves when no chunk waits, or at `close`. */
  send(chunk: object): void | Promise<void> {
    if (this.#state !== 'open') return
    if (this.#waiting.length === 0 && this.#window?.isOpen()) return this.#write(chunk)
    this.#waiting.push(chunk)
    return this.#untilDrained()
  }

  /** The receiver has taken this many chunks, which may be followed by as many more. */
  taken(chunks: number): void {
    this.#window?.taken(chunks)
    this.#sendWaiting()
  }

  /** Sends `end` after all chunks. Resolves when it was sent, or at `close`. */
  async end(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'ending'
    if (this.#window === undefined || this.#waiting.length > 0) await this.#untilDrained()
    if (this.#isClosed()) return
    this.#frames.add([encodeFrame(this.#kinds.end, this.#sequence)])
    this.#frames.flush()
  }

  /** Discards the waiting chunks. Nothing more is sent. */
  close(): void {
    this.#state = 'closed'
    this.#waiting.length = 0
    this.#frames.clear()
    this.#onDrained()
  }

  #isClosed(): boolean {
    return this.#state === 'closed'
  }

  #write(chunk: object): void {
    const frame = encodeChunk(this.#kinds, this.#sequence, chunk, this.#packing)
    this.#sequence += 1
    this.#window?.sent(lengthOf(frame))
    this.#frames.add(frame)
  }

  #sendWaiting(): void {
    while (this.#waiting.length > 0 && this.#window?.isOpen()) this.#write(this.#waiting.shift()!)
    if (this.#waiting.length > 0) {
      this.#frames.flush()
      return
    }
    this.#drained = undefined
    this.#onDrained()
  }

  #untilDrained(): Promise<void> {
    this.#frames.flush()
    this.#drained ??= new Promise((resolve) => {
      this.#onDrained = resolve
    })
    return this.#drained
  }
}
