import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError, streamTokenProtocolPrefix, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RequestHandler } from 'express'
import { WebSocketServer } from 'ws'
import { closeOnceSent } from '../http/connection-end.js'
import { rawErrorResponse } from '../http/error-response.js'
import { checkHostHeader } from '../http/host-header.js'
import { createRequestTrace, type RequestTraceOptions, requestIdFrom } from '../http/request-context.js'

/** An upgrade whose handshake is well-formed. */
export interface SocketUpgrade {
  readonly req: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly requestId: string
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** The WebSocket at a path. */
export interface SocketRoute {
  /** In Express's notation. */
  readonly path: string
  /** Takes over the connection. The error with which it rejects becomes an HTTP response instead of the upgrade. */
  accept(upgrade: SocketUpgrade): Promise<void>
}

export interface Upgrades {
  /** Whether there is a WebSocket at the path of a request. */
  leadsToWebSocket(req: IncomingMessage): boolean
  /** Handles the server's `upgrade` event of a request for which `leadsToWebSocket` is true. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
}

export const createUpgrades = (
  routes: readonly SocketRoute[],
  { logger, ...tracing }: RequestTraceOptions & { readonly logger: Logger },
): Upgrades => {
  const sockets = routes.map(({ path, accept }) => ({
    pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    startSpan: createRequestTrace(tracing, 'GET', path),
    accept,
  }))
  const find = ({ url = '' }: IncomingMessage) => {
    const path = url.split('?', 1)[0] as string
    for (const socket of sockets) {
      const match = socket.pattern.exec(path)
      if (match !== null) return { ...socket, params: match.groups ?? {} }
    }
    return undefined
  }

  return {
    leadsToWebSocket: (req) => find(req) !== undefined,
    upgrade(req, socket, head) {
      const { startSpan, accept, params } = find(req)!
      const requestId = requestIdFrom(req.headers)
      socket.on('error', () => socket.destroy())
      const span = startSpan(req.headers)
      const run = async () => {
        checkHandshake(req)
        const { searchParams: query } = new URL(req.url!, 'http://localhost')
        await accept({ req, socket, head, requestId, params, query })
      }
      const accepted = span === undefined ? run() : span.run(run)
      accepted.then(
        () => span?.end(),
        (thrown: unknown) => {
          const error = toServiceError(thrown)
          span?.end(error)
          if (error.cause !== undefined) logger.error({ requestId, err: error }, 'A WebSocket could not be opened')
          closeOnceSent(socket)
          socket.end(rawErrorResponse(error, requestId, req.url))
        },
      )
    },
  }
}

/** Checks the Host header, and everything that `ws` would refuse, before a token is consumed. Throws `invalid_request`. */
const checkHandshake = (req: IncomingMessage): void => {
  checkHostHeader(req)
  const { headers } = req
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = headers
  const { 'sec-websocket-protocol': protocols } = headers
  const wellFormed = protocols === undefined || /^[!#$%&'*+.^_`|~\w-]+( *, *[!#$%&'*+.^_`|~\w-]+)*$/.test(protocols)
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key ?? '') || version !== '13' || !wellFormed) {
    throw new ServiceError('invalid_request', 'This is not a valid WebSocket handshake of version 13.')
  }
}

/**
 * A WebSocket server without compression, which accepts the first of these subprotocols that a client offers. Its caller passes
 * upgrades to it.
 */
export const createHandshakes = (protocols: readonly string[], maxFrameBytes: number): WebSocketServer => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  })
  // `ws` refuses a few more handshakes than `checkHandshake`. Its response has another form than our errors.
  server.on('wsClientError', (_error, socket) => {
    const error = new ServiceError('invalid_request', 'This is not a valid WebSocket handshake.')
    closeOnceSent(socket)
    socket.end(rawErrorResponse(error, randomUUID()))
  })
  return server
}

/** The token that a client offers as a subprotocol with this prefix. */
export const offeredToken = ({ headers }: IncomingMessage, prefix: string): string | undefined => {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  return offered.find((protocol) => protocol.startsWith(prefix))?.slice(prefix.length)
}

/** The token in the Authorization header. */
export const bearerToken = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]

/**
 * The token that a client presents: beside the subprotocol, in the Authorization header, or in the query, in this order.
 * An empty string when there is no token.
 */
export const presentedToken = (req: IncomingMessage, query: URLSearchParams): string =>
  offeredToken(req, streamTokenProtocolPrefix) ?? bearerToken(req) ?? query.get('token') ?? ''

/** Refuses a GET at the path of a WebSocket without an `Upgrade` header. */
export const refuseWithoutUpgrade: RequestHandler = () => {
  throw new ServiceError('invalid_request', 'This is a WebSocket: connect to it with the header "Upgrade: websocket".')
}
