/**
 * Opens sockets only to send the error for which they are refused, and closes them.
 *
 * - A client may leave its side of a closed socket open for some time. So these sockets have limits of their own, in total
 *   and for each address, and do not count as connections of authenticated clients.
 * - Beyond the limits the upgrade is refused with an HTTP response, which leaves nothing open.
 */
import { errorBody, type ServiceError } from '@parlance/contracts'
import type { WebSocketServer } from 'ws'
import { clientAddressOf } from '../http/client-address.js'
import { onceClosed } from '../http/connection-end.js'
import { createOutboundQueue } from './outbound-queue.js'
import type { SocketUpgrade } from './upgrade.js'

/** Opens the socket, sends the error and closes. Throws the error beyond the limits. */
type RefuseOnSocket = (upgrade: SocketUpgrade, error: ServiceError) => void

interface RefusedSocketsOptions {
  readonly handshakes: WebSocketServer
  closeCodeOf(error: ServiceError): number
  /** Default: the error of our own protocols. */
  messageOf?(error: ServiceError, requestId: string): object
}

const maxSockets = 300
const maxSocketsPerAddress = 30

export const createRefusedSockets = ({
  handshakes,
  closeCodeOf,
  messageOf = errorBody,
}: RefusedSocketsOptions): RefuseOnSocket => {
  const countByAddress = new Map<string, number>()
  let count = 0

  const take = (address: string): boolean => {
    const ofAddress = countByAddress.get(address) ?? 0
    if (count >= maxSockets || ofAddress >= maxSocketsPerAddress) return false
    count += 1
    countByAddress.set(address, ofAddress + 1)
    return true
  }
  const giveBack = (address: string): void => {
    count -= 1
    const left = (countByAddress.get(address) ?? 0) - 1
    if (left > 0) countByAddress.set(address, left)
    else countByAddress.delete(address)
  }

  return ({ req, socket, head, requestId }, error) => {
    const address = clientAddressOf(req)
    if (!take(address)) throw error
    onceClosed(socket, () => giveBack(address))
    handshakes.handleUpgrade(req, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate())
      const queue = createOutboundQueue(webSocket, socket)
      queue.send(messageOf(error, requestId))
      queue.close(closeCodeOf(error), error.code)
    })
  }
}
