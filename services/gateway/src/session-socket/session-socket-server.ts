/**
 * The WebSocket of a conversation: from an HTTP upgrade to a connection.
 *
 * - Only authenticated clients count as connections, so others never use up their room.
 * - A browser cannot read a failed upgrade. So what is wrong with a token or its session is sent on the open socket, in an
 *   `error`, and in the code that closes it, within the allowance that `refused-sockets.ts` gives.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Client } from '@parlance/bus'
import {
  type authContract,
  type liveSessionsContract,
  ServiceError,
  sessionEventLimits,
  sessionProtocol,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import { checkStanding } from '../authentication/admission.js'
import type { AuthorizedSession, AuthorizeSession } from '../authentication/session-authorization.js'
import { answeredUpgrade } from '../websocket/answered-upgrade.js'
import { checkHandshake, createHandshakes } from '../websocket/handshake.js'
import { presentedToken } from '../websocket/presented-token.js'
import { createRefusedSockets } from '../websocket/refused-sockets.js'
import type { Upgrade } from '../websocket/upgrades.js'
import { sessionCloseCodeOf } from './session-close-code.js'
import { openSessionConnection, type SessionConnection } from './session-connection.js'
import { sessionSocketAddressOf } from './session-socket-path.js'

export interface SessionSocketServerOptions {
  readonly authorizeSession: AuthorizeSession
  readonly auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
  readonly live: Pick<Client<typeof liveSessionsContract>, 'connectClient' | 'endSession'>
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
  const { authorizeSession, auth, live, mostConnections, logger } = options
  const handshakes = createHandshakes(sessionProtocol, sessionEventLimits.message_bytes)
  const refuseOnSocket = createRefusedSockets({ handshakes, closeCodeOf: sessionCloseCodeOf })
  const sockets = new Map<WebSocket, SessionConnection>()
  let drainsUntilMs: number | undefined
  let emptied = () => {}

  const track = (socket: WebSocket, connection: SessionConnection): void => {
    sockets.set(socket, connection)
    socket.on('error', (err) => logger.info({ err }, 'a session socket broke'))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) emptied()
    })
  }

  const checkRunning = (): void => {
    if (drainsUntilMs !== undefined) throw new ServiceError('draining', 'This server is about to stop. Try again.')
  }
  const checkRoom = (): void => {
    if (sockets.size >= mostConnections) {
      throw new ServiceError('capacity_exhausted', 'There are too many connections here now. Try again.')
    }
  }

  /** Also the key that minted the token must still be good, and its workspace in good standing. */
  const authorize: AuthorizeSession = async (token, address, context) => {
    const session = await authorizeSession(token, address, context)
    const { workspace_id, key_id } = session.place
    checkStanding({ workspace_id, ...(await auth.getKeyWorkspace({ workspace_id, key_id }, { context })) }, 'agents')
    return session
  }

  const answer = async (req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): Promise<void> => {
    checkHandshake(req)
    checkRunning()
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost')
    const address = sessionSocketAddressOf(pathname)
    if (address === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
    let session: AuthorizedSession
    try {
      session = await authorize(presentedToken(req, searchParams), address, { requestId })
    } catch (thrown) {
      const error = toServiceError(thrown)
      if (sessionCloseCodeOf(error) === 1011) throw error
      return refuseOnSocket({ req, socket, head, requestId }, error)
    }
    checkRoom()
    handshakes.handleUpgrade(req, socket, head, (webSocket) => {
      const connection = openSessionConnection({
        socket: webSocket,
        rawSocket: socket,
        session,
        live,
        logger,
        context: { requestId },
      })
      track(webSocket, connection)
      // It was on its way when the server began to stop.
      if (drainsUntilMs !== undefined) connection.drain(msUntil(drainsUntilMs))
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
      for (const connection of sockets.values()) connection.drain(withinMs)
      if (sockets.size > 0) await closeAll(withinMs + endedWithinMs)
    },
  }
}

const msUntil = (atMs: number): number => Math.max(0, Math.round(atMs - performance.now()))
