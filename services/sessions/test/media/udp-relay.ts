import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** Stands between one peer and a port of this machine, and does to their packets what a bad network does. */
export interface UdpRelay {
  readonly port: number
  /** From now on this share is lost, and the others come up to so much later, one behind the other or not. */
  disturb(options: { readonly loss: number; readonly jitterMs: number }): void
  close(): void
}

const openSocket = async (): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  // A test that fails before it closes this must still end.
  socket.unref()
  return socket
}

/** `random` answers numbers from 0 to 1. */
export const openUdpRelay = async (targetPort: number, random: () => number): Promise<UdpRelay> => {
  const [towardsPeer, towardsTarget] = await Promise.all([openSocket(), openSocket()])
  const timers = new Set<NodeJS.Timeout>()
  let peerPort: number | undefined
  let network = { loss: 0, jitterMs: 0 }

  const carry = (send: () => void): void => {
    if (random() < network.loss) return
    if (network.jitterMs === 0) {
      send()
      return
    }
    const timer = setTimeout(() => {
      timers.delete(timer)
      send()
    }, random() * network.jitterMs)
    timers.add(timer)
  }
  towardsPeer.on('message', (bytes, { port }) => {
    peerPort = port
    carry(() => towardsTarget.send(bytes, targetPort, '127.0.0.1'))
  })
  towardsTarget.on('message', (bytes) => {
    if (peerPort !== undefined) carry(() => towardsPeer.send(bytes, peerPort, '127.0.0.1'))
  })

  return {
    port: towardsPeer.address().port,
    disturb(options) {
      network = options
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      towardsPeer.close()
      towardsTarget.close()
    },
  }
}
