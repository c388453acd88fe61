import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** An HTTP server on 127.0.0.1. */
export interface LocalServer {
  readonly server: Server
  readonly port: number
  /** Without a path, such as `http://127.0.0.1:40123`. */
  readonly url: string
  /** How many connections were made so far. */
  connections(): number
  /** How many connections are open. */
  openConnections(): number
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>
  /** Ends every connection, those of WebSockets too. Later calls do nothing. */
  close(): Promise<void>
}

/** Starts a server on a port of this machine, by default a free one. A handler that throws fails the run of the tests. */
export const startLocalServer = async (
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
): Promise<LocalServer> => {
  const sockets = new Set<Socket>()
  const closed = new EventTarget()
  let connections = 0
  const server = createServer(handle)
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    // Clients of tests reset connections on purpose, those of WebSockets too.
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      closed.dispatchEvent(new Event('closed'))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    server,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    openConnections: () => sockets.size,
    async allClosed() {
      while (sockets.size > 0) await once(closed, 'closed')
    },
    async close() {
      if (!server.listening) return
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
