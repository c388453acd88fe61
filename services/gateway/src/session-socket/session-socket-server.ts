/**
 * The WebSocket of a conversation: from an HTTP upgrade to a connection.
 *
 * A browser cannot read a failed upgrade. So what is wrong with a token or its session is told on the open socket, in an
 * `error`, and in the code that closes it.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Client } from '@parlance/bus'
import {
  errorBody,
  type liveSessionsContract,
  ServiceError,
  type SessionServerEvent,
  sessionEventLimits,
  sessionProtocol,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import type { AuthorizedSession, AuthorizeSession } from '../session-authorization.js'
import { answeredUpgrade } from '../websocket/answered-upgrade.js'
import { checkHandshake, createHandshakes } from '../websocket/handshake.js'
import { presentedToken } from '../websocket/presented-token.js'
import { createSocketOutlet } from '../websocket/socket-outlet.js'
import type { Upgrade } from '../websocket/upgrades.js'
import { sessionCloseCodeOf } from './session-close-code.js'
import { openSessionConnection, type SessionConnection } from './session-connection.js'
import { sessionSocketAddressOf } from './session-socket-path.js'

export interface SessionSocketServerOptions {
  readonly authorizeSession: AuthorizeSession
  readonly live: Pick<Client<typeof liveSessionsContract>, 'attach' | 'receive' | 'endSession'>
  /** Connections at once. */
  readonly mostConnections: number
  readonly logger: Logger
}

export interface SessionSocketServer {
  readonly upgrade: Upgrade
  /** Refuses new connections, has the conversations of those there are end within so many ms, and closes what is left. */
  stop(withinMs: number): Promise<void>
}

const goingAway = 1001
/** How long the end of a conversation may be on its way after the deadline, and a closing handshake after that. */
const endedWithinMs = 1_000
const closeWithinMs = 2_500

export const createSessionSocketServer = (options: SessionSocketServerOptions): SessionSocketServer => {
  const { authorizeSession, live, mostConnections, logger } = options
  const handshakes = createHandshakes(sessionProtocol, sessionEventLimits.message_bytes)
  /** Without a connection where the client was refused. */
  const sockets = new Map<WebSocket, SessionConnection | undefined>()
  let drainsUntilMs: number | undefined
  let emptied = () => {}

  const track = (socket: WebSocket): void => {
    sockets.set(socket, undefined)
    socket.on('error', (err) => logger.info({ err }, 'a session socket broke'))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) emptied()
    })
  }

  const checkRoom = (): void => {
    if (drainsUntilMs !== undefined) throw new ServiceError('draining', 'This server is about to stop. Try again.')
    if (sockets.size >= mostConnections) {
      throw new ServiceError('capacity_exhausted', 'There are too many connections here now. Try again.')
    }
  }

  const answer = async (req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): Promise<void> => {
    checkHandshake(req)
    checkRoom()
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost')
    const address = sessionSocketAddressOf(pathname)
    if (address === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
    let session: AuthorizedSession | ServiceError
    try {
      session = await authorizeSession(presentedToken(req, searchParams), address, { requestId })
    } catch (error) {
      session = toServiceError(error)
      if (sessionCloseCodeOf(session) === 1011) throw session
    }
    handshakes.handleUpgrade(req, socket, head, (webSocket) => {
      track(webSocket)
      if (session instanceof ServiceError) {
        const outlet = createSocketOutlet<SessionServerEvent>(webSocket, socket)
        outlet.send(errorBody(session, requestId))
        outlet.close(sessionCloseCodeOf(session), session.code)
      } else {
        const connection = openSessionConnection({
          ...{ socket: webSocket, wire: socket, session, live, logger },
          context: { requestId },
        })
        sockets.set(webSocket, connection)
        // It was on its way when the server began to stop.
        if (drainsUntilMs !== undefined) connection.drain(msUntil(drainsUntilMs))
      }
    })
  }

  const closeAll = async (withinMs: number): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      emptied = resolve
    })
    const close = setTimeout(() => {
      for (const socket of sockets.keys()) socket.close(goingAway, 'draining')
    }, withinMs)
    const cut = setTimeout(() => {
      for (const socket of sockets.keys()) socket.terminate()
    }, withinMs + closeWithinMs)
    await closed
    clearTimeout(close)
    clearTimeout(cut)
  }

  return {
    upgrade: answeredUpgrade(answer, { logger, failed: 'a session socket was not opened' }),
    async stop(withinMs) {
      drainsUntilMs = performance.now() + withinMs
      for (const connection of sockets.values()) connection?.drain(withinMs)
      if (sockets.size > 0) await closeAll(withinMs + endedWithinMs)
    },
  }
}

const msUntil = (atMs: number): number => Math.max(0, Math.round(atMs - performance.now()))
