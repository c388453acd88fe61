/**
 * The consumer's side of a server stream (frames: `stream-frame.ts`).
 *
 * Invariants:
 * - chunks are given in the order they were sent, each once, in the turn in which they come; a gap in the numbers is an
 *   error, never a shorter stream;
 * - credit is granted after a chunk was *taken*, so at most a window of them waits here however slow the taker is;
 * - the stream ends cleanly only on an `end` frame; a producer that does not answer, falls silent or is no longer there
 *   fails it with `unavailable` within two seconds;
 * - whoever leaves early (an abort, a taker that throws) has the producer told.
 */

import type { PushStream, Sink } from '@parlance/async/push-stream'
import { ServiceError, type StreamMethod } from '@parlance/contracts'
import type { Bus, Message } from './bus.js'
import type { MethodAddress } from './call.js'
import { defaultDeadlineMs, tookTooLong } from './call.js'
import type { StreamOptions } from './call-context.js'
import type { Mailbox } from './reply-multiplexer.js'
import { multiplexerOf } from './reply-multiplexer.js'
import type { ControlKind, FrameVisitor } from './stream-frame.js'
import { controlKind, decodeChunk, decodePacked, encodeControl, frameKind, visitFrames } from './stream-frame.js'
import type { StreamWindow } from './stream-window.js'
import { subjectOf } from './subject.js'
import { keepsSilent, lostPart, nobodyAnswers, stoppedAnswering } from './unanswered.js'
import { decodeError, encodeJson, encodeRequestHeaders, requestHeaders } from './wire.js'

/** What a reader that has stopped leaves on the way, where everybody else's chunks wait behind it. */
export const streamWindow: StreamWindow = { chunks: 128, bytes: 256 * 1024 }
/** Taken, at which a producer is told so: more often is a message for nothing, less often a wait for him. */
const grantAt: StreamWindow = { chunks: streamWindow.chunks * 0.75, bytes: streamWindow.bytes * 0.75 }
/** Producers beat every 300 ms; five beats missed is a hung one. */
const silenceLimitMs = 1_500
/** A producer answers within milliseconds that it has the request, however long its first chunk takes. */
const openLimitMs = 1_000
/** How often a producer who is heard is told that he is listened to, and one who has missed a beat is asked whether he is there. */
const aliveIntervalMs = { heard: 2_000, missed: 500 }
const missedAfterMs = 400

interface Received {
  readonly value: unknown
  readonly bytes: number
}

export const consumeStream = (
  bus: Bus,
  { service, method }: MethodAddress,
  { chunk: schema, packing }: StreamMethod,
  request: unknown,
  { context, deadlineMs = defaultDeadlineMs, lane, instance, onBegin }: StreamOptions,
): PushStream<unknown> => {
  const consume = (
    take: Sink<unknown>,
    signal: AbortSignal,
    resolve: () => void,
    reject: (reason: unknown) => void,
  ): void => {
    const waiting: Received[] = []
    /** Taken, and not told of. */
    let takenChunks = 0
    let takenBytes = 0
    /** Whether the producer may still be asked for something; what waits is given in any case. */
    let open = true
    let outcome: { readonly failure: { readonly reason: unknown } | undefined } | undefined
    let taking = false
    let controlSubject: string | undefined
    /** Of the message whose frames are being looked at. */
    let reply: string | undefined
    let expected = 0
    let granting = false
    let silentMs = 0
    let saidAliveAtMs = performance.now()
    const firstChunkBeforeMs = saidAliveAtMs + deadlineMs

    const control = (kind: ControlKind, count = 0) => {
      // Before `open` nobody is known to listen; while the connection is lost, silence will end the producer.
      if (controlSubject === undefined || !bus.connected()) return
      // Asked for an answer, the bus itself tells when the producer's process has ended.
      const options = kind === controlKind.alive ? { reply: mailbox.subject } : undefined
      bus.publish(controlSubject, encodeControl(kind, count), options)
    }

    const settle = () => {
      if (outcome === undefined || taking || waiting.length > 0) return
      signal.removeEventListener('abort', onAbort)
      if (outcome.failure === undefined) resolve()
      else reject(outcome.failure.reason)
    }

    const finish = (failure?: { reason: unknown }) => {
      if (!open) return
      open = false
      outcome ??= { failure }
      mailbox.close()
      settle()
    }

    const leave = (failure: { reason: unknown }) => {
      if (!open) return
      if (controlSubject === undefined) {
        // There is nobody to tell yet: the mailbox stays until there is, or until nothing can come any more.
        outcome ??= { failure }
        return settle()
      }
      control(controlKind.cancel)
      finish(failure)
    }

    /** Nothing more is given. */
    const stop = (failure: { reason: unknown }) => {
      waiting.length = 0
      taking = false
      leave(failure)
      outcome = { failure }
      settle()
    }
    const onAbort = () => stop({ reason: signal.reason })

    const grant = () => {
      granting = false
      if (open) control(controlKind.credit, takenChunks)
      takenChunks = 0
      takenBytes = 0
    }
    const taken = (bytes: number) => {
      takenChunks += 1
      takenBytes += bytes
      if (granting || (takenChunks < grantAt.chunks && takenBytes < grantAt.bytes)) return
      granting = true
      // All that are due in this turn of the event loop leave together.
      setImmediate(grant)
    }

    const give = (value: unknown, bytes: number) => {
      let room: void | Promise<void>
      try {
        room = take(value)
      } catch (reason) {
        return stop({ reason })
      }
      if (room === undefined) taken(bytes)
      else waitFor(room, bytes)
    }
    const catchUp = () => {
      while (!taking && waiting.length > 0) {
        const { value, bytes } = waiting.shift()!
        give(value, bytes)
      }
      settle()
    }
    const waitFor = (room: Promise<void>, bytes: number) => {
      taking = true
      room.then(
        () => {
          if (!taking) return
          taking = false
          taken(bytes)
          catchUp()
        },
        (reason) => stop({ reason }),
      )
    }

    const onOpen = () => {
      controlSubject = reply
      if (outcome === undefined) return
      control(controlKind.cancel)
      finish()
    }
    const onFrame: FrameVisitor = (kind, count, bytes, start, end) => {
      if (kind === frameKind.open) return onOpen()
      if (outcome !== undefined || kind === frameKind.heartbeat) return
      if (kind === frameKind.error) return finish({ reason: decodeError(bytes.subarray(start, end)) })
      if (count !== expected) return leave({ reason: lostPart(service) })
      if (kind === frameKind.end) return finish()
      expected += 1
      let value: unknown
      try {
        value =
          kind === frameKind.packed
            ? decodePacked(bytes, start, end, packing!)
            : schema.parse(decodeChunk(bytes, start, end))
      } catch (cause) {
        return leave({
          reason: new ServiceError('internal_error', `The ${service} service sent a bad chunk.`, { cause }),
        })
      }
      if (expected === 1) onBegin?.()
      if (taking) waiting.push({ value, bytes: end - start })
      else give(value, end - start)
    }
    const onMessage = (message: Message) => {
      if (message.noResponders) {
        return finish({ reason: controlSubject === undefined ? nobodyAnswers(service) : stoppedAnswering(service) })
      }
      silentMs = 0
      reply = message.reply
      visitFrames(message.data, onFrame)
      settle()
    }

    const onSweep = (nowMs: number, attentiveMs: number) => {
      silentMs += attentiveMs
      if (outcome !== undefined) {
        if (nowMs >= firstChunkBeforeMs) finish()
      } else if (expected === 0 && nowMs >= firstChunkBeforeMs) {
        leave({ reason: tookTooLong(service) })
      } else if (controlSubject === undefined && silentMs > openLimitMs) {
        leave({ reason: keepsSilent(service) })
      } else if (silentMs > silenceLimitMs) {
        leave({ reason: stoppedAnswering(service) })
      } else if (nowMs - saidAliveAtMs > (silentMs > missedAfterMs ? aliveIntervalMs.missed : aliveIntervalMs.heard)) {
        saidAliveAtMs = nowMs
        control(controlKind.alive)
      }
    }

    const mailbox: Mailbox = multiplexerOf(bus).open(onMessage, onSweep)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      bus.publish(subjectOf(service, method, { lane, instance }), encodeJson(request), {
        reply: mailbox.subject,
        headers: {
          ...encodeRequestHeaders(context, deadlineMs),
          [requestHeaders.windowChunks]: String(streamWindow.chunks),
          [requestHeaders.windowBytes]: String(streamWindow.bytes),
        },
      })
    } catch (reason) {
      finish({ reason })
    }
  }

  return async (take, signal) => {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => consume(take, signal, resolve, reject))
  }
}
