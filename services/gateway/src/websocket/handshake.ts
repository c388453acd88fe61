import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@parlance/contracts'
import { WebSocketServer } from 'ws'
import { closeOnceSent } from '../http/connection-end.js'
import { rawErrorResponse } from '../http/error-response.js'
import { checkHostHeader } from '../http/host-header.js'

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
