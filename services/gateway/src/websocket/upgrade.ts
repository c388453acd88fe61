import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError, streamTokenProtocolPrefix, toServiceError } from '@parlance/contracts'
import type { Logger, Span } from '@parlance/telemetry'
import type { RequestHandler } from 'express'
import { WebSocketServer } from 'ws'
import { closeOnceSent } from '../http/connection-end.js'
import { rawErrorResponse } from '../http/error-response.js'
import { checkHostHeader } from '../http/host-header.js'
import { requestIdFrom } from '../http/request-context.js'

/** A listener of the server's `upgrade` event. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface AnsweredUpgradeOptions {
  readonly logger: Logger
  /** The log message for an upgrade that failed with an internal error. */
  readonly failed: string
  /** Starts the span of an upgrade whose trace is sampled. */
  startSpan(headers: IncomingHttpHeaders): Span | undefined
}

/** Handles upgrades with `answer`. The error with which `answer` rejects becomes an HTTP response instead of the upgrade. */
export const answeredUpgrade =
  (
    answer: (req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string) => Promise<void>,
    { logger, failed, startSpan }: AnsweredUpgradeOptions,
  ): Upgrade =>
  (req, socket, head) => {
    const requestId = requestIdFrom(req.headers)
    socket.on('error', () => socket.destroy())
    const span = startSpan(req.headers)
    const run = () => answer(req, socket, head, requestId)
    const answered = span === undefined ? run() : span.run(run)
    answered.then(
      () => span?.end(),
      (thrown: unknown) => {
        const error = toServiceError(thrown)
        span?.end(error)
        if (error.cause !== undefined) logger.error({ requestId, err: error }, failed)
        closeOnceSent(socket)
        socket.end(rawErrorResponse(error, requestId))
      },
    )
  }

/** Checks the Host header, and everything that `ws` would refuse, before a token is consumed. Throws `invalid_request`. */
export const checkHandshake = (req: IncomingMessage): void => {
  checkHostHeader(req)
  const { headers } = req
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = headers
  const { 'sec-websocket-protocol': protocols } = headers
  const wellFormed = protocols === undefined || /^[!#$%&'*+.^_`|~\w-]+( *, *[!#$%&'*+.^_`|~\w-]+)*$/.test(protocols)
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key ?? '') || version !== '13' || !wellFormed) {
    throw new ServiceError('invalid_request', 'This is not a valid WebSocket handshake of version 13.')
  }
}

/** A WebSocket server without compression that accepts one subprotocol. Its caller passes upgrades to it. */
export const createHandshakes = (protocol: string, maxFrameBytes: number): WebSocketServer => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handleProtocols: (offered) => offered.has(protocol) && protocol,
  })
  // `ws` refuses a few more handshakes than `checkHandshake`. Its response has another form than our errors.
  server.on('wsClientError', (_error, socket) => {
    const error = new ServiceError('invalid_request', 'This is not a valid WebSocket handshake.')
    closeOnceSent(socket)
    socket.end(rawErrorResponse(error, randomUUID()))
  })
  return server
}

/**
 * The token that a client presents: beside the subprotocol, in the Authorization header, or in the query, in this order.
 * An empty string when there is no token.
 */
export const presentedToken = (req: IncomingMessage, query: URLSearchParams): string => {
  const offered = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  const protocol = offered.find((one) => one.startsWith(streamTokenProtocolPrefix))
  if (protocol !== undefined) return protocol.slice(streamTokenProtocolPrefix.length)
  const [, bearer] = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? '') ?? []
  return bearer ?? query.get('token') ?? ''
}

/** Refuses a GET at the path of a WebSocket without an `Upgrade` header. */
export const refuseWithoutUpgrade: RequestHandler = () => {
  throw new ServiceError('invalid_request', 'This is a WebSocket: connect to it with the header "Upgrade: websocket".')
}
