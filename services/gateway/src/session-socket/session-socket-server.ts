/**
 * Accepts the WebSockets of conversations: from an HTTP upgrade to a connection.
 *
 * - Only authenticated clients count towards the limit of connections.
 * - A browser cannot read a failed upgrade. So a client whose token or session is refused gets an `error` event and a close
 *   code on the open socket, within the limits of `refused-sockets.ts`.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Client } from '@parlance/bus'
import {
  type authContract,
  draining,
  type liveSessionsContract,
  ServiceError,
  sessionEventLimits,
  sessionProtocol,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import { checkStanding } from '../authentication/admission.js'
import { type AuthorizedSession, type AuthorizeSession, requireLive } from '../authentication/session-authorization.js'
import { createRequestTrace, type RequestTraceOptions } from '../http/request-context.js'
import { createRefusedSockets } from '../websocket/refused-sockets.js'
import {
  answeredUpgrade,
  checkHandshake,
  createHandshakes,
  presentedToken,
  type Upgrade,
} from '../websocket/upgrade.js'
import { openSessionConnection, type SessionConnection, sessionCloseCodeOf } from './session-connection.js'

/** The path of the WebSocket of a conversation, in Express's notation. */
export const sessionSocketPath = '/v1/agents/:agentId/sessions/:sessionId/stream'

interface SessionSocketAddress {
  readonly agentId: string
  readonly sessionId: string
}

export const sessionSocketPathOf = ({ agentId, sessionId }: SessionSocketAddress): string =>
  `/v1/agents/${agentId}/sessions/${sessionId}/stream`

/** Undefined for any other path. */
export const sessionSocketAddressOf = (path: string): SessionSocketAddress | undefined => {
  const [, agentId, sessionId] = /^\/v1\/agents\/([^/]+)\/sessions\/([^/]+)\/stream$/.exec(path) ?? []
  return agentId === undefined || sessionId === undefined ? undefined : { agentId, sessionId }
}

export interface SessionSocketServerOptions extends RequestTraceOptions {
  readonly authorizeSession: AuthorizeSession
  readonly auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
  readonly live: Pick<Client<typeof liveSessionsContract>, 'connectClient' | 'endSession'>
  /** The limit of connections at a time. */
  readonly maxConnections: number
  readonly logger: Logger
}

export interface SessionSocketServer {
  readonly upgrade: Upgrade
  /** Refuses new connections, ends all conversations within `drainMs`, then closes the connections that are left. */
  stop(drainMs: number): Promise<void>
}

const goingAway = 1001
/** How late after the deadline the end of a conversation may arrive. */
const endedLimitMs = 1_000
/** How long a closing handshake may take. */
const closeLimitMs = 2_500

export const createSessionSocketServer = (options: SessionSocketServerOptions): SessionSocketServer => {
  const { authorizeSession, auth, live, maxConnections, logger } = options
  const handshakes = createHandshakes(sessionProtocol, sessionEventLimits.message_bytes)
  const refuseOnSocket = createRefusedSockets({ handshakes, closeCodeOf: sessionCloseCodeOf })
  const sockets = new Map<WebSocket, SessionConnection>()
  let drainsUntilMs: number | undefined
  let onEmpty = () => {}

  const track = (socket: WebSocket, connection: SessionConnection): void => {
    sockets.set(socket, connection)
    socket.on('error', (err) => logger.info({ err }, 'A session socket failed'))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) onEmpty()
    })
  }

  const checkRunning = (): void => {
    if (drainsUntilMs !== undefined) throw draining()
  }
  const checkCapacity = (): void => {
    if (sockets.size >= maxConnections) {
      throw new ServiceError('capacity_exhausted', 'The server has too many connections now. Try again.')
    }
  }

  /** The key that minted the token must still be valid, and its workspace not suspended. */
  const authorize: AuthorizeSession = async (token, address, context) => {
    const session = requireLive(await authorizeSession(token, address, context))
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
    checkCapacity()
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
      // The server began to stop during the handshake.
      if (drainsUntilMs !== undefined) connection.drain(msUntil(drainsUntilMs))
    })
  }

  const closeAll = async (limitMs: number): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      onEmpty = resolve
    })
    const close = setTimeout(() => {
      for (const socket of sockets.keys()) socket.close(goingAway, 'draining')
    }, limitMs)
    const cut = setTimeout(() => {
      for (const socket of sockets.keys()) socket.terminate()
    }, limitMs + closeLimitMs)
    await closed
    clearTimeout(close)
    clearTimeout(cut)
  }

  return {
    upgrade: answeredUpgrade(answer, {
      logger,
      failed: 'A session socket could not be opened',
      startSpan: createRequestTrace(options, 'GET', sessionSocketPath),
    }),
    async stop(drainMs) {
      drainsUntilMs = performance.now() + drainMs
      for (const connection of sockets.values()) connection.drain(drainMs)
      if (sockets.size > 0) await closeAll(drainMs + endedLimitMs)
    },
  }
}

const msUntil = (atMs: number): number => Math.max(0, Math.round(atMs - performance.now()))
