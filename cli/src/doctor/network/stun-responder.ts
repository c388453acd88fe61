import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Address, addressText, encodeBindingResponse, isBindingRequest } from './stun-message.js'

/** Answers STUN requests at a UDP port. */
export interface StunResponder {
  readonly port: number
  /** The number of requests from each address. */
  readonly requests: ReadonlyMap<string, number>
  /** Resolves with the first request. */
  readonly first: Promise<void>
  close(): void
}

/**
 * Listens on a UDP port of all addresses, or of `host`. A response is 12 or 24 bytes longer than the request. Rejects when the
 * port cannot be bound.
 */
export const openStunResponder = async (port: number, host = '::'): Promise<StunResponder> => {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' })
  const requests = new Map<string, number>()
  const first = new Promise<void>((resolve) => {
    socket.on('message', (message, { address, port }) => {
      if (!isBindingRequest(message)) return
      const from: Address = { address: address.replace(/^::ffff:(?=[\d.]+$)/, ''), port }
      socket.send(encodeBindingResponse(message, from), port, address, () => {})
      requests.set(addressText(from), (requests.get(addressText(from)) ?? 0) + 1)
      resolve()
    })
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  // A response that cannot be sent counts as lost.
  socket.on('error', () => {})
  return { port: socket.address().port, requests, first, close: () => socket.close() }
}
