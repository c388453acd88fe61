/**
 * One client's connection: reads its messages, and passes them to its contexts.
 *
 * - An invalid message is answered with an `error` and changes nothing; it never closes the connection.
 * - A connection that receives nothing during the inactivity timeout is closed, and so is one that reaches its maximum
 *   duration.
 */
import {
  errorBody,
  type ServiceError,
  type StreamClientMessage,
  type StreamGrant,
  type StreamServerMessage,
  streamClientMessageSchema,
  streamLimits,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RawData } from 'ws'
import { parseRequest } from '../http/parsed-request.js'
import { goingAway, streamCloseCodeOf } from '../websocket/close-codes.js'
import { createMessageLimit } from '../websocket/message-rate.js'
import { createOutboundQueue, type OutboundQueue } from '../websocket/outbound-queue.js'
import { type AudioPayload, audioFramePayload } from './audio-frame.js'
import { StreamContexts, type StreamContextsOptions } from './stream-contexts.js'
import { contextIdIn, parseJson, readyMessage } from './stream-message.js'
import { createStreamTimeouts } from './stream-timeouts.js'
import type { AdmittedStream, StreamConnection } from './stream-upgrade.js'

/**
 * The form of the messages of one connection. `read` and `write` translate between the messages of our own protocol and those of
 * another, and are called in the order of the messages.
 */
export interface StreamDialect {
  /** The messages of our protocol that the JSON of a client's message means. A promise delays the messages after it. Throws `ServiceError`. */
  read(message: unknown): readonly StreamClientMessage[] | Promise<readonly StreamClientMessage[]>
  /** What is sent for a message of our protocol. */
  write(message: StreamServerMessage, contexts: Pick<StreamContexts, 'isOpen' | 'textOf'>): readonly object[]
  readonly audioPayload: AudioPayload
  /** Whether the alignment of a segment is sent before its audio. */
  readonly alignsFirst?: true
  /** The code with which the connection is to be closed once its last context is over, if it is. */
  endCode?(): number | undefined
  /** What is sent for a close code of ours, where it is another. */
  closeCode?(code: number): number
  /** Called once, when the connection is over. */
  close?(): void
}

const native: StreamDialect = {
  read: (message) => [parseRequest(streamClientMessageSchema, message)],
  write: (message) => [message],
  audioPayload: audioFramePayload,
}

interface StreamConnectionOptions
  extends AdmittedStream<StreamGrant>,
    Pick<StreamContextsOptions, 'checkVoice' | 'orderBatch' | 'startSpan' | 'onFirstAudio' | 'onContexts'> {
  /** By default our own protocol. */
  readonly dialect?: StreamDialect
  readonly logger: Logger
}

/** How long a connection without a context waits for its first `start` when the server stops. */
const firstStartWithinMs = 5_000

export const openStreamConnection = (options: StreamConnectionOptions): StreamConnection => {
  const { socket, rawSocket, requestId, query, logger, dialect = native } = options
  const { inactivity_timeout: inactivityTimeoutSeconds } = query
  const queue = createOutboundQueue(socket, rawSocket)
  const outbound: OutboundQueue<StreamServerMessage> = {
    ...queue,
    send(message) {
      for (const each of dialect.write(message, contexts)) queue.send(each)
    },
  }
  const countMessage = createMessageLimit(streamLimits.messages_per_second)
  const begunMs = performance.now()
  let draining = false
  /** The messages before the next one, while they are being read. */
  let waiting: Promise<void> | undefined

  const sendError = (error: ServiceError, contextId?: string): void => {
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'A stream failed')
    const body = errorBody(error, requestId)
    outbound.send(contextId === undefined ? body : { ...body, context_id: contextId })
  }

  const contexts = new StreamContexts({
    grant: options.grant,
    outbound,
    checkVoice: options.checkVoice,
    orderBatch: options.orderBatch,
    audioPayload: dialect.audioPayload,
    alignsFirst: dialect.alignsFirst ?? false,
    sendError,
    startSpan: options.startSpan,
    onFirstAudio: options.onFirstAudio,
    onContexts: options.onContexts,
    onContextOver() {
      timeouts.restart()
      const endCode = dialect.endCode?.()
      if (endCode !== undefined && contexts.size === 0) setImmediate(() => close(endCode, 'the last context is over'))
      if (draining && contexts.size === 0) setImmediate(() => close(goingAway, 'draining'))
    },
  })
  /** Also ends all speech: nothing is sent once the connection is being closed, so nothing more may be spoken and billed. */
  const close = (code: number, reason: string): void => {
    contexts.abandonAll()
    outbound.close(dialect.closeCode?.(code) ?? code, reason)
  }
  const fail = (error: ServiceError): void => {
    sendError(error)
    close(streamCloseCodeOf(error), error.code)
  }

  const timeouts = createStreamTimeouts({
    ...{ socket, inactivityTimeoutSeconds },
    isBusy: () => contexts.size > 0,
    close,
  })

  const handle = (message: StreamClientMessage) => {
    if (message.event === 'keepalive') return
    if (message.event === 'close') return close(1000, 'closed by the client')
    return contexts.handle(message)
  }

  const handleEach = (messages: readonly StreamClientMessage[]): void => {
    for (const message of messages) {
      try {
        handle(message)
      } catch (error) {
        sendError(toServiceError(error), 'context_id' in message ? message.context_id : undefined)
      }
    }
  }

  /** Returns a promise when the meaning of the message is not known at once. */
  const take = (data: RawData, isBinary: boolean): Promise<void> | undefined => {
    let contextId: string | undefined
    const refuse = (error: unknown): void => sendError(toServiceError(error), contextId)
    try {
      const message = parseJson(data, isBinary)
      contextId = contextIdIn(message)
      const read = dialect.read(message)
      if (read instanceof Promise) return read.then(handleEach, refuse)
      handleEach(read)
    } catch (error) {
      refuse(error)
    }
    return undefined
  }

  const onMessage = (data: RawData, isBinary: boolean): void => {
    timeouts.active()
    try {
      countMessage()
    } catch (error) {
      fail(toServiceError(error))
      return
    }
    const taken = waiting === undefined ? take(data, isBinary) : waiting.then(() => take(data, isBinary))
    const last = taken?.finally(() => {
      if (waiting === last) waiting = undefined
    })
    waiting = last
  }

  socket.on('message', onMessage)
  socket.once('close', (code) => {
    contexts.abandonAll()
    dialect.close?.()
    const { workspace_id: workspaceId } = options.grant
    const durationMs = Math.round(performance.now() - begunMs)
    logger.info({ requestId, workspaceId, code, count: contexts.openedCount, durationMs }, 'A stream closed')
  })

  outbound.send(readyMessage(streamLimits, requestId, inactivityTimeoutSeconds))

  return {
    drain(deadlineMs) {
      draining = true
      contexts.drain()
      outbound.send({ event: 'draining', deadline_ms: deadlineMs })
      const closeNow = () => close(goingAway, 'draining')
      const closeUnused = () => {
        if (contexts.size === 0) closeNow()
      }
      if (contexts.isUsed) closeUnused()
      else setTimeout(closeUnused, Math.min(firstStartWithinMs, deadlineMs)).unref()
      setTimeout(closeNow, deadlineMs).unref()
    },
    expel: fail,
  }
}
