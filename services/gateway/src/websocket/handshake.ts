import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@parlance/contracts'
import { WebSocketServer } from 'ws'
import { checkHostHeader } from '../http/host-header.js'
import { rawErrorResponse } from '../http/raw-response.js'

/** Checks the Host header, and what `ws` would refuse, before anything is used up. Throws `invalid_request`. */
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

/** Upgrades to one subprotocol; other than that it knows nothing of connections. */
export const createHandshakes = (protocol: string, mostFrameBytes: number): WebSocketServer => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: mostFrameBytes,
    handleProtocols: (offered) => offered.has(protocol) && protocol,
  })
  // Whatever else it finds wrong is told as every error is.
  server.on('wsClientError', (_error, socket) => {
    const error = new ServiceError('invalid_request', 'This is not a valid WebSocket handshake.')
    socket.end(rawErrorResponse(error, randomUUID()))
  })
  return server
}
