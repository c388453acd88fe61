/**
 * The WebSocket of one conversation, and the way to the instance that holds it.
 *
 * - Events pass as they are, in both directions; whether they are any good is for the instance to say.
 * - A peer that says good-bye has hung up. One that is gone without a word is told as lost.
 * - Audio that comes faster than anybody speaks has waited somewhere for too long to be of use: what is too much is let go.
 * - It closes when the conversation is over, with 1000.
 * - `drain` asks the instance to end the conversation, so that the client is sent `session.ending` and `session.ended`.
 */
import type { Duplex } from 'node:stream'
import type { CallContext, Client } from '@parlance/bus'
import {
  errorBody,
  type liveSessionsContract,
  ServiceError,
  type SessionServerEvent,
  sessionEventLimits,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import type { AuthorizedSession } from '../authentication/session-authorization.js'
import { createMessageRate } from '../websocket/message-rate.js'
import { createSocketOutlet } from '../websocket/outbound-queue.js'
import { createGatheredItems } from './item-batch.js'
import { sessionCloseCodeOf } from './session-close-code.js'

export interface SessionConnectionOptions {
  readonly socket: WebSocket
  /** What the socket writes to. */
  readonly wire: Duplex
  readonly session: AuthorizedSession
  readonly live: Pick<Client<typeof liveSessionsContract>, 'attach' | 'receive' | 'endSession'>
  readonly context: CallContext
  readonly logger: Logger
}

export interface SessionConnection {
  /** The reply in progress may end, at the latest after so many ms; then the conversation is over. */
  drain(deadlineMs: number): void
}

type PeerChunk = z.output<typeof liveSessionsContract.methods.attach.chunk>

const beatMs = 5_000
const silentBeats = 2
/** A conversation may be silent for as long as it lasts. */
const firstChunkWithinMs = 24 * 3_600_000
const brokenOff = 1006

export const openSessionConnection = (options: SessionConnectionOptions): SessionConnection => {
  const { socket, wire, session, live, context, logger } = options
  const { requestId } = context
  const address = { workspace_id: session.place.workspace_id, session_id: session.sessionId }
  const instance = session.place.instance_id
  const outlet = createSocketOutlet<SessionServerEvent>(socket, wire)
  const peerLeft = new AbortController()
  const takeMessage = createMessageRate(sessionEventLimits.messages_per_second)
  const takeFrame = createMessageRate(sessionEventLimits.audio_frames_per_second)
  let over = false
  let beatsMissed = 0

  const fail = (thrown: unknown): void => {
    const error = toServiceError(thrown)
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'a conversation was cut off')
    outlet.send(errorBody(error, requestId))
    outlet.close(sessionCloseCodeOf(error), error.code)
  }

  const received = createGatheredItems({
    deliver: (seq, items) => live.receive({ ...address, seq, items: [...items] }, { context, instance }),
    onFull: (full) => (full ? socket.pause() : socket.resume()),
    onFailure(error) {
      // That it is over is told by the other direction, after all that came before its end.
      if (!(error instanceof ServiceError && error.code === 'session_ended')) fail(error)
    },
  })

  const passOn = (chunk: PeerChunk): void | Promise<void> => {
    if (!outlet.isWritable()) return outlet.writable().then(() => passOn(chunk))
    outlet.pass(chunk.kind === 'audio' ? chunk.data : chunk.text)
  }
  const said = live.attach(address, { context, instance, deadlineMs: firstChunkWithinMs })
  said(passOn, peerLeft.signal).then(
    () => {
      over = true
      outlet.close(1000, 'the session has ended')
    },
    (error: unknown) => {
      over = true
      if (!peerLeft.signal.aborted) fail(error)
    },
  )

  socket.on('message', (data: RawData, isBinary: boolean) => {
    const bytes = data as Buffer
    if (isBinary) {
      if (takeFrame(performance.now())) received.add({ kind: 'audio', data: bytes.toString('base64') })
      return
    }
    if (takeMessage(performance.now())) return received.add({ kind: 'message', text: bytes.toString() })
    fail(new ServiceError('rate_limited', 'These are more messages in a second than a conversation has.'))
  })
  socket.on('pong', () => {
    beatsMissed = 0
    received.live()
  })
  const beats = setInterval(() => {
    if (beatsMissed >= silentBeats) return socket.terminate()
    beatsMissed += 1
    socket.ping()
  }, beatMs)

  socket.once('close', (code) => {
    clearInterval(beats)
    received.stop()
    const lost = code === brokenOff && !over
    const told = lost
      ? live.endSession({ ...address, reason: 'connection_lost' }, { context, instance }).catch(() => undefined)
      : undefined
    // Leaving says that the peer has hung up, which is not to be said before that it was lost.
    if (told === undefined) peerLeft.abort()
    else void told.then(() => peerLeft.abort())
    logger.info({ requestId, sessionId: session.sessionId, code }, 'session socket closed')
  })

  return {
    drain(deadlineMs) {
      live
        .endSession({ ...address, reason: 'drained', deadline_ms: deadlineMs }, { context, instance })
        // A conversation that is over, or whose instance is gone, closes the socket by itself.
        .catch((err: unknown) => logger.info({ requestId, err }, 'a conversation could not be drained'))
    },
  }
}
