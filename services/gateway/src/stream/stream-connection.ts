/**
 * One client's connection: reads its messages, and passes them to its contexts.
 *
 * - An invalid message is answered with an `error` and changes nothing; it never closes the connection.
 * - A connection that receives nothing during the inactivity timeout is closed, and so is one that reaches its maximum
 *   duration.
 */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import {
  errorBody,
  ServiceError,
  type StreamClientMessage,
  type StreamServerMessage,
  streamCloseCodes,
  streamLimits,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RawData, WebSocket } from 'ws'
import { watchClientLiveness } from '../websocket/client-liveness.js'
import { createMessageRate } from '../websocket/message-rate.js'
import { createOutboundQueue } from '../websocket/outbound-queue.js'
import { StreamContexts, type StreamContextsOptions } from './stream-contexts.js'
import { readStreamMessage } from './stream-message.js'
import { createStreamTimeouts } from './stream-timeouts.js'

export interface StreamConnectionOptions
  extends Pick<
    StreamContextsOptions,
    'grant' | 'checkVoice' | 'orderBatch' | 'startSpan' | 'onFirstAudio' | 'onContexts'
  > {
  readonly socket: WebSocket
  /** The connection to which the socket writes. */
  readonly rawSocket: Duplex
  readonly requestId: string
  readonly inactivityTimeoutSeconds: number
  readonly logger: Logger
}

export interface StreamConnection {
  /** Accepts no new contexts except a first one, and closes when the open ones have ended, or after `deadlineMs`. */
  drain(deadlineMs: number): void
  /** Stops all speech at once, sends the error, and closes. */
  expel(error: ServiceError, closeCode: number): void
}

const pingIntervalMs = 15_000
const goingAway = 1001
/** How long a connection without a context waits for its first `start` when the server stops. */
const firstStartWithinMs = 5_000

const readyMessage = (requestId: string, inactivityTimeoutSeconds: number): StreamServerMessage => ({
  event: 'ready',
  connection_id: randomUUID(),
  request_id: requestId,
  expires_at: new Date(Date.now() + streamLimits.life_seconds * 1000).toISOString(),
  limits: { ...streamLimits, inactivity_timeout_seconds: inactivityTimeoutSeconds },
})

export const openStreamConnection = (options: StreamConnectionOptions): StreamConnection => {
  const { socket, rawSocket, requestId, inactivityTimeoutSeconds, logger } = options
  const outbound = createOutboundQueue<StreamServerMessage>(socket, rawSocket)
  const takeMessage = createMessageRate(streamLimits.messages_per_second)
  const begunMs = performance.now()
  let draining = false

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
    isOpen: () => socket.readyState === socket.OPEN,
    sendError,
    startSpan: options.startSpan,
    onFirstAudio: options.onFirstAudio,
    onContexts: options.onContexts,
    onContextOver() {
      timeouts.restart()
      if (draining && contexts.size === 0) setImmediate(() => close(goingAway, 'draining'))
    },
  })
  /** Also ends all speech: nothing is sent once the connection is being closed, so nothing more may be spoken and billed. */
  const close = (code: number, reason: string): void => {
    contexts.abandonAll()
    outbound.close(code, reason)
  }

  const timeouts = createStreamTimeouts({
    inactivityTimeoutSeconds,
    isBusy: () => contexts.size > 0,
    close,
  })

  const handle = (message: StreamClientMessage) => {
    if (message.event === 'keepalive') return
    if (message.event === 'close') return close(1000, 'closed by the client')
    return contexts.handle(message)
  }

  const onMessage = (data: RawData, isBinary: boolean) => {
    timeouts.active()
    if (!takeMessage(performance.now())) {
      sendError(new ServiceError('rate_limited', `At most ${streamLimits.messages_per_second} messages a second.`))
      return close(streamCloseCodes.rateLimited, 'too many messages')
    }
    const read = readStreamMessage(data, isBinary)
    if ('error' in read) return sendError(read.error, read.contextId)
    try {
      handle(read.message)
    } catch (error) {
      sendError(toServiceError(error), 'context_id' in read.message ? read.message.context_id : undefined)
    }
  }

  socket.on('message', onMessage)
  watchClientLiveness(socket, () => close(streamCloseCodes.timedOut, 'no pong received'), pingIntervalMs)
  socket.once('close', (code) => {
    contexts.abandonAll()
    timeouts.stop()
    const { workspace_id: workspaceId } = options.grant
    const durationMs = Math.round(performance.now() - begunMs)
    logger.info({ requestId, workspaceId, code, count: contexts.openedCount, durationMs }, 'A stream closed')
  })

  outbound.send(readyMessage(requestId, inactivityTimeoutSeconds))

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
    expel(error, closeCode) {
      draining = true
      contexts.drain()
      sendError(error)
      close(closeCode, error.code)
    },
  }
}
