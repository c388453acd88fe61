/**
 * The consumer's side of a server stream (frames: `stream-frame.ts`).
 *
 * Invariants:
 * - chunks come out in the order they were sent, each once; a gap in the numbers is an error, never a shorter stream;
 * - credit is granted after a chunk was *consumed*, so at most a window of them waits here however slow the reader is;
 * - the stream ends cleanly only on an `end` frame; a producer that does not answer, falls silent or is no longer there
 *   fails it with `unavailable` within two seconds;
 * - whoever leaves early (break, abort, an error) has the producer told.
 */
import { ServiceError } from '@parlance/contracts'
import type { z } from 'zod'
import type { Bus, Message } from './bus.js'
import type { MethodAddress } from './call.js'
import { defaultDeadlineMs, tookTooLong } from './call.js'
import type { CallOptions } from './call-context.js'
import type { Mailbox } from './multiplexer.js'
import { multiplexerOf } from './multiplexer.js'
import type { ControlKind, StreamFrame } from './stream-frame.js'
import { controlKind, decodeChunk, decodeFrames, encodeControl, frameKind } from './stream-frame.js'
import { createConsumption, type StreamWindow } from './stream-window.js'
import { subjectOf } from './subject.js'
import { keepsSilent, nobodyAnswers } from './unanswered.js'
import { decodeError, encodeJson, encodeRequestHeaders, requestHeaders } from './wire.js'

/** What a reader that has stopped leaves on the way, where everybody else's chunks wait behind it. */
export const streamWindow: StreamWindow = { chunks: 16, bytes: 128 * 1024 }
/** Producers beat every 300 ms; five beats missed is a hung one. */
const silenceLimitMs = 1_500
/** A producer answers at once that it has the request, however long its first chunk takes. */
const openLimitMs = 1_000
const aliveIntervalMs = 500

export const openStream = (
  bus: Bus,
  { service, method }: MethodAddress,
  chunkSchema: z.ZodType,
  request: unknown,
  { context, signal, deadlineMs = defaultDeadlineMs, lane, instance }: CallOptions,
): AsyncIterableIterator<unknown> => {
  const received: { readonly value: unknown; readonly bytes: number }[] = []
  let state: 'idle' | 'open' | 'ended' = 'idle'
  let failure: { reason: unknown } | undefined
  let wake: (() => void) | undefined
  let mailbox: Mailbox | undefined
  let controlSubject: string | undefined
  let expected = 0
  const consumption = createConsumption(streamWindow)
  let granting = false
  let firstChunkBeforeMs = 0
  let silentMs = 0
  let saidAliveAtMs = 0

  const control = (kind: ControlKind, count = 0) => {
    // Before `open` nobody is known to listen; while the connection is lost, silence will end the producer.
    if (controlSubject === undefined || !bus.connected()) return
    // Asked for an answer, the bus itself tells when the producer's process has ended.
    const options = kind === controlKind.alive && mailbox ? { reply: mailbox.subject } : undefined
    bus.publish(controlSubject, encodeControl(kind, count), options)
  }

  const settle = (reason?: { reason: unknown }) => {
    state = 'ended'
    failure = reason
    signal?.removeEventListener('abort', onAbort)
    wake?.()
  }

  const finish = (reason?: { reason: unknown }) => {
    if (state === 'ended') return
    settle(reason)
    mailbox?.close()
  }

  const leave = (reason?: { reason: unknown }) => {
    // Before `open` there is nobody to tell: the mailbox stays until it comes, or until nothing can come any more.
    if (state === 'open' && controlSubject === undefined) return settle(reason)
    if (state === 'open') control(controlKind.cancel)
    finish(reason)
  }

  const onAbort = () => {
    received.length = 0
    leave({ reason: signal?.reason })
  }

  const onMessage = (message: Message) => {
    if (message.noResponders) {
      return finish({ reason: controlSubject === undefined ? nobodyAnswers(service) : stoppedAnswering(service) })
    }
    for (const frame of decodeFrames(message.data)) onFrame(frame, message.reply)
    wake?.()
  }

  const onFrame = (frame: StreamFrame, reply: string | undefined) => {
    silentMs = 0
    if (frame.kind === frameKind.open) {
      controlSubject = reply
      if (state !== 'ended') return
      control(controlKind.cancel)
      return mailbox?.close()
    }
    if (state === 'ended') return
    if (frame.kind === frameKind.error) return finish({ reason: decodeError(frame.payload) })
    if (frame.kind === frameKind.heartbeat) return
    if (frame.count !== expected) return leave({ reason: lostPart(service) })
    if (frame.kind === frameKind.end) return finish()
    expected += 1
    try {
      received.push({ value: chunkSchema.parse(decodeChunk(frame.payload)), bytes: frame.payload.length })
    } catch (cause) {
      leave({ reason: new ServiceError('internal_error', `The ${service} service sent a bad chunk.`, { cause }) })
    }
  }

  const onSweep = (nowMs: number, attentiveMs: number) => {
    silentMs += attentiveMs
    if (state === 'ended') {
      if (nowMs >= firstChunkBeforeMs) mailbox?.close()
    } else if (expected === 0 && nowMs >= firstChunkBeforeMs) {
      leave({ reason: tookTooLong(service) })
    } else if (controlSubject === undefined && silentMs > openLimitMs) {
      leave({ reason: keepsSilent(service) })
    } else if (silentMs > silenceLimitMs) {
      leave({ reason: stoppedAnswering(service) })
    } else if (nowMs - saidAliveAtMs > aliveIntervalMs) {
      saidAliveAtMs = nowMs
      control(controlKind.alive)
    }
  }

  const start = () => {
    state = 'open'
    saidAliveAtMs = performance.now()
    firstChunkBeforeMs = saidAliveAtMs + deadlineMs
    if (signal?.aborted) return finish({ reason: signal.reason })
    mailbox = multiplexerOf(bus).open(onMessage, onSweep)
    signal?.addEventListener('abort', onAbort, { once: true })
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

  const grant = () => {
    granting = false
    if (state === 'open') control(controlKind.credit, consumption.tell())
  }
  const consumed = (bytes: number) => {
    if (!consumption.taken(bytes) || granting) return
    granting = true
    // All that are due in this turn of the event loop leave together.
    setImmediate(grant)
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (state === 'idle') start()
      while (received.length === 0 && state === 'open') {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const next = received.shift()
      if (next !== undefined) {
        consumed(next.bytes)
        return { done: false, value: next.value }
      }
      if (failure === undefined) return { done: true, value: undefined }
      const { reason } = failure
      failure = undefined
      throw reason
    },
    async return(value) {
      received.length = 0
      leave()
      return { done: true, value }
    },
    async throw(reason) {
      leave()
      throw reason
    },
  }
}

const stoppedAnswering = (service: string) =>
  new ServiceError('unavailable', `The ${service} service stopped answering. Try again.`)

const lostPart = (service: string) =>
  new ServiceError('upstream_error', `Part of the ${service} service's answer was lost. Try again.`)
