/**
 * The producer's side of a server stream (frames: `stream-frame.ts`).
 *
 * Invariants:
 * - no more chunks are under way than the consumer's window has room for;
 * - the producer's loop is left, and its signal aborted, when the consumer cancels or has not been heard for a while;
 * - everything else in the process gets its turn, however fast the chunks are made;
 * - a chunk leaves at once, or within milliseconds where others have just left; the first with anything to it leaves
 *   before more is made, and none is kept while the window is closed;
 * - the last frame is `end` or `error`, unless the consumer is gone; while there is nothing to send, heartbeats go out.
 */
import type { ChunkPacking, ServiceError } from '@parlance/contracts'
import { type Bus, lengthOf, type MessageBytes } from './bus.js'
import { createFrameBatch } from './frame-batch.js'
import { multiplexerOf } from './reply-multiplexer.js'
import { controlKind, encodeChunk, encodeFrame, frameKind, visitFrames } from './stream-frame.js'
import { createSendWindow, type StreamWindow } from './stream-window.js'
import { encodeError } from './wire.js'

const heartbeatIntervalMs = 300
/** Consumers say `alive` every two seconds, also while they read slowly. */
const consumerSilenceLimitMs = 5_000

export interface ProducedStream {
  bus: Bus
  /** The consumer's mailbox. */
  reply: string
  window: StreamWindow
  produce: (signal: AbortSignal) => AsyncIterable<object>
  packing: ChunkPacking<unknown> | undefined
  /** Turns what was thrown into what the consumer is told. */
  answerable: (error: unknown) => ServiceError
}

/** How long chunks are made and sent before others get their turn. */
const turnMs = 0.5
/** Who is heard of within a second is there, and most have something to say sooner; who is not known cannot be told to stop. */
const openWithinMs = 40

/** In the first turn of the event loop what was gathered goes to the bus, in the second the bus sends it. */
const othersTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

/** Resolves when the stream is over: with the error the consumer was told, or undefined. Never rejects. */
export const produceStream = async ({
  bus,
  reply,
  window,
  produce,
  packing,
  answerable,
}: ProducedStream): Promise<ServiceError | undefined> => {
  const consumer = new AbortController()
  const sendWindow = createSendWindow(window)
  let sequence = 0
  let wake: (() => void) | undefined
  let silentMs = 0
  let sentAtMs = performance.now()
  let opened = false
  let begun = false
  /** Of the present turn of the event loop, as far as chunks were made in it. */
  let turnBeganMs: number | undefined

  const consumerLeft = () => {
    consumer.abort(new Error('the consumer of the stream has left'))
    wake?.()
  }

  const control = multiplexerOf(bus).open(
    ({ data, noResponders }) => {
      if (noResponders) return
      visitFrames(data, (kind, count) => {
        silentMs = 0
        if (kind === controlKind.cancel) consumerLeft()
        if (kind === controlKind.credit) sendWindow.granted(count)
      })
      wake?.()
    },
    (nowMs, attentiveMs) => {
      silentMs += attentiveMs
      if (silentMs > consumerSilenceLimitMs) consumerLeft()
      else if (nowMs - sentAtMs >= heartbeatIntervalMs && bus.connected()) {
        frames.add([encodeFrame(frameKind.heartbeat, sequence)])
        frames.flush()
      }
    },
  )

  const send = (message: MessageBytes) => {
    sentAtMs = performance.now()
    bus.publish(reply, message, opened ? undefined : { reply: control.subject })
    opened = true
  }

  // Without a connection nothing reaches the consumer, who hears nothing and sees that.
  const frames = createFrameBatch(send, consumerLeft)

  const windowOpen = async () => {
    while (!sendWindow.isOpen() && !consumer.signal.aborted) {
      // For what is kept here nobody would make room.
      frames.flush()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  const onTurnEnd = () => {
    turnBeganMs = undefined
  }
  const isTurnOver = (): boolean => {
    const nowMs = performance.now()
    if (turnBeganMs === undefined) {
      turnBeganMs = nowMs
      setImmediate(onTurnEnd)
    }
    return nowMs - turnBeganMs >= turnMs
  }

  try {
    frames.add([encodeFrame(frameKind.open, 0)], openWithinMs)
    for await (const chunk of produce(consumer.signal)) {
      await windowOpen()
      if (consumer.signal.aborted) return undefined
      const frame = encodeChunk(sequence, chunk, packing)
      sendWindow.sent(lengthOf(frame))
      frames.add(frame)
      sequence += 1
      const isFirst: boolean = !begun && frame[1].length > 0
      begun ||= isFirst
      if (isTurnOver() || isFirst) await othersTurn()
    }
    frames.add([encodeFrame(frameKind.end, sequence)])
    frames.flush()
    return undefined
  } catch (error) {
    // A producer that stops because its consumer has left did as it was told.
    if (consumer.signal.aborted) return undefined
    const answer = answerable(error)
    if (bus.connected()) {
      frames.add([encodeFrame(frameKind.error, sequence, encodeError(answer))])
      frames.flush()
    }
    return answer
  } finally {
    frames.drop()
    control.close()
  }
}
