import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** An address that leads to one Redis and later to another, like a DNS name when a replica is promoted. */
export const openRedisRoute = async (to: { port: number }) => {
  let target = to
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Closing the connection notifies the peer.
    socket.on('error', () => {})
  }
  const server = createServer((inner) => {
    const outer = connect({ host: '127.0.0.1', port: target.port })
    for (const [from, into] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      keep(from)
      from.pipe(into)
      from.once('close', () => into.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Closes all connections. New connections lead to the other server. */
    leadTo(other: { port: number }): void {
      target = other
      disconnect()
    },
    async close(): Promise<void> {
      disconnect()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type RedisRoute = Awaited<ReturnType<typeof openRedisRoute>>
