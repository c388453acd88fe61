/**
 * The WebSocket of one conversation, and the stream to the instance that holds the conversation.
 *
 * - A client that closes the socket has hung up: the stream is ended. A client whose connection breaks, or that answers no
 *   ping for 15 s, is lost: the stream is cancelled. The same applies when the gateway closes the socket because of an error.
 * - When the instance cannot accept more, the client's socket is paused.
 * - The socket is closed with 1000 when the conversation is over.
 */
import type { Duplex } from 'node:stream'
import type { CallContext, Client } from '@parlance/bus'
import {
  errorBody,
  type liveSessionsContract,
  type ServiceError,
  type SessionSocketChunk,
  sessionEventLimits,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RawData, WebSocket } from 'ws'
import type { AuthorizedSession } from '../authentication/session-authorization.js'
import { watchClientLiveness } from '../websocket/client-liveness.js'
import { goingAway, sessionCloseCodeOf } from '../websocket/close-codes.js'
import { createMessageLimit, createMessageRate } from '../websocket/message-rate.js'
import type { OpenConnection } from '../websocket/open-sockets.js'
import { createOutboundQueue, type OutboundQueue } from '../websocket/outbound-queue.js'

/** The two sides of a connection, for its protocol. */
export interface SessionSides {
  readonly outbound: OutboundQueue<object>
  sendToInstance(chunk: SessionSocketChunk): void
  /** The client has hung up. */
  hangUp(): void
}

/** How the messages of a client become chunks for its instance, and back. */
export interface SessionProtocol {
  /** Handles a message of the client. Throws `ServiceError` for one that closes the connection. */
  receive(bytes: Buffer, isBinary: boolean): void
  /** Sends the client a chunk of the instance. */
  deliver(chunk: SessionSocketChunk): void
  /** Sends the client the error for which its socket is closed. */
  sendError(error: ServiceError): void
  /** Called at the end of the conversation. Resolves when the socket may be closed. */
  finish(): Promise<void>
  /** Called when the socket is closed. */
  close(): void
}

/**
 * Our own protocol. Events pass unchanged in both directions; the instance validates them. Audio that arrives faster than real time
 * was delayed for too long to be useful: the excess is dropped.
 */
const ownProtocol = ({ outbound, sendToInstance }: SessionSides, requestId: string): SessionProtocol => {
  const countMessage = createMessageLimit(sessionEventLimits.messages_per_second)
  const takeFrame = createMessageRate(sessionEventLimits.audio_frames_per_second)
  return {
    receive(bytes, isBinary) {
      if (isBinary) {
        if (takeFrame(performance.now())) sendToInstance({ kind: 'audio', data: bytes })
        return
      }
      countMessage()
      sendToInstance({ kind: 'message', text: bytes.toString() })
    },
    deliver: (chunk) => outbound.pass(chunk.kind === 'audio' ? chunk.data : chunk.text),
    sendError: (error) => outbound.send(errorBody(error, requestId)),
    async finish() {},
    close() {},
  }
}

export interface SessionConnectionOptions {
  readonly socket: WebSocket
  /** The raw socket below `socket`. */
  readonly rawSocket: Duplex
  /** What differs from our own protocol. */
  readonly protocol?: ((sides: SessionSides, requestId: string) => Partial<SessionProtocol>) | undefined
  readonly session: AuthorizedSession
  readonly live: Pick<Client<typeof liveSessionsContract>, 'connectClient' | 'endSession'>
  readonly context: CallContext
  readonly logger: Logger
}

/** The close code of a connection that ended without a closing handshake. */
const abnormalClosure = 1006
/** How late after the deadline the end of a conversation may arrive. */
const endedLimitMs = 1_000

export const openSessionConnection = (options: SessionConnectionOptions): OpenConnection => {
  const { socket, rawSocket, session, live, context, logger } = options
  const { requestId } = context
  const { workspace_id, session_id, instance_id: instance } = session
  const outbound = createOutboundQueue<object>(socket, rawSocket)
  let isClosed = false
  /** The gateway closes the socket because of an error. The client answers with the same close code. */
  let hasFailed = false

  const fail = (thrown: unknown): void => {
    hasFailed = true
    const error = toServiceError(thrown)
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'A session socket failed')
    protocol.sendError(error)
    outbound.close(sessionCloseCodeOf(error), error.code)
  }

  const sendToClient = (chunk: SessionSocketChunk): void | Promise<void> => {
    if (!outbound.isWritable()) return outbound.writable().then(() => sendToClient(chunk))
    protocol.deliver(chunk)
  }
  const stream = live.connectClient({ workspace_id, session_id }, sendToClient, { context, instance })

  const sendToInstance = (chunk: SessionSocketChunk): void => {
    const sent = stream.send(chunk)
    if (sent === undefined) return
    socket.pause()
    void sent.then(() => socket.resume())
  }
  const sides: SessionSides = { outbound, sendToInstance, hangUp: () => stream.end() }
  const protocol = { ...ownProtocol(sides, requestId), ...options.protocol?.(sides, requestId) }

  stream.ended.then(
    async () => {
      await protocol.finish()
      outbound.close(1000, 'the session has ended')
    },
    (error: unknown) => {
      if (!isClosed) fail(error)
    },
  )
  socket.on('message', (data: RawData, isBinary: boolean) => {
    try {
      protocol.receive(data as Buffer, isBinary)
    } catch (error) {
      fail(error)
    }
  })
  watchClientLiveness(socket, () => socket.terminate())

  socket.once('close', (code) => {
    isClosed = true
    protocol.close()
    if (hasFailed || code === abnormalClosure) stream.cancel(new Error('the connection of the client was lost'))
    else stream.end()
    logger.info({ requestId, sessionId: session_id, code }, 'A session socket closed')
  })

  return {
    /** The instance ends the conversation within this time, in which the reply in progress may end. */
    drain(deadlineMs) {
      live
        .endSession({ workspace_id, session_id, reason: 'drained', deadline_ms: deadlineMs }, { context, instance })
        // If the conversation is over or its instance has stopped, the stream ends and closes the socket.
        .catch((err: unknown) => logger.info({ requestId, err }, 'A conversation could not be drained'))
      setTimeout(() => outbound.close(goingAway, 'draining'), deadlineMs + endedLimitMs).unref()
    },
  }
}
