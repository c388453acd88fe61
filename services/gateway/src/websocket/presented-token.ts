import type { IncomingMessage } from 'node:http'
import { streamTokenProtocolPrefix } from '@parlance/contracts'

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
