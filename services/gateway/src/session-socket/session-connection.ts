/**
 * The WebSocket of one conversation, and the stream to the instance that holds the conversation.
 *
 * - Events pass unchanged in both directions. The instance validates them.
 * - A client that closes the socket has hung up: the stream is ended. A client whose connection breaks, or that answers no
 *   ping for 15 s, is lost: the stream is cancelled. The same applies when the gateway closes the socket because of an error.
 * - When the instance cannot accept more, the client's socket is paused.
 * - Audio that arrives faster than real time was delayed for too long to be useful: the excess is dropped.
 * - The socket is closed with 1000 when the conversation is over.
 */
import type { Duplex } from 'node:stream'
import type { CallContext, Client } from '@parlance/bus'
import {
  errorBody,
  type liveSessionsContract,
  ServiceError,
  type SessionServerEvent,
  type SessionSocketChunk,
  sessionCloseCodes,
  sessionEventLimits,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RawData, WebSocket } from 'ws'
import type { AuthorizedSession } from '../authentication/session-authorization.js'
import { watchClientLiveness } from '../websocket/client-liveness.js'
import { createMessageRate } from '../websocket/message-rate.js'
import { createOutboundQueue } from '../websocket/outbound-queue.js'

/** The close code of a connection that was refused or failed with this error. */
export const sessionCloseCodeOf = ({ status }: Pick<ServiceError, 'status'>): number =>
  ({
    401: sessionCloseCodes.tokenInvalid,
    402: sessionCloseCodes.insufficientCredit,
    403: sessionCloseCodes.forbidden,
    404: sessionCloseCodes.notFound,
    409: sessionCloseCodes.ended,
    429: sessionCloseCodes.rateLimited,
  })[status] ?? 1011

export interface SessionConnectionOptions {
  readonly socket: WebSocket
  /** The raw socket below `socket`. */
  readonly rawSocket: Duplex
  readonly session: AuthorizedSession
  readonly live: Pick<Client<typeof liveSessionsContract>, 'connectClient' | 'endSession'>
  readonly context: CallContext
  readonly logger: Logger
}

export interface SessionConnection {
  /**
   * Requests that the instance ends the conversation within this many ms, in which the reply in progress may end. The client
   * receives `session.ending` and `session.ended`.
   */
  drain(deadlineMs: number): void
}

/** The close code of a connection that ended without a closing handshake. */
const abnormalClosure = 1006

export const openSessionConnection = (options: SessionConnectionOptions): SessionConnection => {
  const { socket, rawSocket, session, live, context, logger } = options
  const { requestId } = context
  const address = { workspace_id: session.place.workspace_id, session_id: session.sessionId }
  const instance = session.place.instance_id
  const outbound = createOutboundQueue<SessionServerEvent>(socket, rawSocket)
  const admitMessage = createMessageRate(sessionEventLimits.messages_per_second)
  const admitFrame = createMessageRate(sessionEventLimits.audio_frames_per_second)

  let isClosed = false
  /** The gateway closes the socket because of an error. The client answers with the same close code. */
  let hasFailed = false

  const fail = (thrown: unknown): void => {
    hasFailed = true
    const error = toServiceError(thrown)
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'A session socket failed')
    outbound.send(errorBody(error, requestId))
    outbound.close(sessionCloseCodeOf(error), error.code)
  }

  const sendToClient = (chunk: SessionSocketChunk): void | Promise<void> => {
    if (!outbound.isWritable()) return outbound.writable().then(() => sendToClient(chunk))
    outbound.pass(chunk.kind === 'audio' ? chunk.data : chunk.text)
  }
  const stream = live.connectClient(address, sendToClient, { context, instance })
  stream.ended.then(
    () => outbound.close(1000, 'the session has ended'),
    (error: unknown) => {
      if (!isClosed) fail(error)
    },
  )

  const sendToInstance = (chunk: SessionSocketChunk): void => {
    const sent = stream.send(chunk)
    if (sent === undefined) return
    socket.pause()
    void sent.then(() => socket.resume())
  }
  socket.on('message', (data: RawData, isBinary: boolean) => {
    const bytes = data as Buffer
    if (isBinary) {
      if (admitFrame(performance.now())) sendToInstance({ kind: 'audio', data: bytes })
      return
    }
    if (admitMessage(performance.now())) return sendToInstance({ kind: 'message', text: bytes.toString() })
    fail(new ServiceError('rate_limited', `At most ${sessionEventLimits.messages_per_second} messages a second.`))
  })
  watchClientLiveness(socket, () => socket.terminate())

  socket.once('close', (code) => {
    isClosed = true
    if (hasFailed || code === abnormalClosure) stream.cancel(new Error('the connection of the client was lost'))
    else stream.end()
    logger.info({ requestId, sessionId: session.sessionId, code }, 'A session socket closed')
  })

  return {
    drain(deadlineMs) {
      live
        .endSession({ ...address, reason: 'drained', deadline_ms: deadlineMs }, { context, instance })
        // If the conversation is over or its instance has stopped, the stream ends and closes the socket.
        .catch((err: unknown) => logger.info({ requestId, err }, 'A conversation could not be drained'))
    },
  }
}
