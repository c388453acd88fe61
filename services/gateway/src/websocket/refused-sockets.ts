/**
 * Sockets that are opened only to send why they are refused, and closed.
 *
 * - A client may leave its side of a closed socket open for some time. So these sockets have an allowance of their own, in
 *   all and by address, and take no place of an authenticated client.
 * - Beyond the allowance the upgrade is refused by HTTP, which holds nothing.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, type ServiceError } from '@parlance/contracts'
import type { WebSocketServer } from 'ws'
import { onceClosed } from './once-closed.js'
import { createSocketOutlet } from './outbound-queue.js'

export interface RefusedUpgrade {
  readonly req: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly requestId: string
}

/** Opens the socket, sends the error, and closes. Throws the error where the allowance is used up. */
export type RefuseOnSocket = (upgrade: RefusedUpgrade, error: ServiceError) => void

export interface RefusedSocketsOptions {
  readonly handshakes: WebSocketServer
  closeCodeOf(error: ServiceError): number
}

const maxSockets = 100
const maxSocketsPerAddress = 10

export const createRefusedSockets = ({ handshakes, closeCodeOf }: RefusedSocketsOptions): RefuseOnSocket => {
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
    const address = req.socket.remoteAddress ?? ''
    if (!take(address)) throw error
    onceClosed(socket, () => giveBack(address))
    handshakes.handleUpgrade(req, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate())
      const outlet = createSocketOutlet(webSocket, socket)
      outlet.send(errorBody(error, requestId))
      outlet.close(closeCodeOf(error), error.code)
    })
  }
}
