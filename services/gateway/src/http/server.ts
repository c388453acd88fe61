import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { Express, Request, Response } from 'express'
import { createMessageClasses } from './express-messages.js'
import { responseInProgress } from './response-in-progress.js'
import { createUnparsedRequestAnswerer, describeParseError } from './unparsed-request.js'

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than load balancers keep an idle connection: they must be the ones to close it. */
  keepAliveTimeout: 65_000,
}
/** Of a connection with a request on it, nothing sent and nothing taken: its peer is gone or refuses to read. */
const stalledAfterMs = 30_000

export interface HttpServerOptions {
  logger: Logger
  /** What becomes of a connection that asks for a WebSocket. From then on it is not the server's any more. */
  upgrade?: ((req: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined
  metrics: Metrics
  /** How long `stop` waits for what runs, in ms, before it cuts it. */
  stopWithinMs: number
}

export interface HttpServer {
  /** Where it listens; with port 0 this tells which one it was given. */
  readonly port: number
  /** Takes no new connections, finishes what runs, closes; resolves when those that were upgraded have closed as well. */
  stop(): Promise<void>
}

export interface ListenAddress {
  /** 0 for any that is free. */
  port: number
  /** All addresses of the machine if not given. */
  host?: string | undefined
}

/** Rejects with the system's error when the port cannot be had. */
export const openHttpServer = async (
  app: Express,
  address: ListenAddress,
  { logger, metrics, upgrade, stopWithinMs }: HttpServerOptions,
): Promise<HttpServer> => {
  let stopping = false
  const sockets = new Set<Socket>()
  const server = createServer(
    { ...createMessageClasses(app), ...limits, requireHostHeader: false },
    (req: unknown, res: unknown) => handle(req as Request, res as Response),
  )
  server.timeout = stalledAfterMs

  const handle = (req: Request, res: Response): void => {
    // Once it stops, a connection is closed with its answer instead of being kept for the next request.
    if (stopping) res.shouldKeepAlive = false
    // Express looks at nothing, not even at middleware, when it cannot read a path from the request.
    app(req, res, () => answerUnparsed(req.socket, noTarget))
  }

  const answerUnparsed = createUnparsedRequestAnswerer(logger, metrics)
  server.on('clientError', (error, socket) => answerUnparsed(socket, describeParseError(error)))
  server.on('connect', (_req, socket) => answerUnparsed(socket, noProxy))
  if (upgrade !== undefined) {
    server.on('upgrade', (req, socket, head) => {
      sockets.delete(socket as Socket)
      upgrade(req, socket, head)
    })
  }
  // The header is a wish that may be ignored; Node's own answer to one it does not know has no body.
  server.on('checkExpectation', handle)

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Called by `close`. Node's own takes an answer that is written but not yet on its way for none, and cuts it.
  server.closeIdleConnections = () => {
    for (const socket of sockets) if (!responseInProgress(socket)) socket.destroy()
  }

  const cutAll = () => {
    for (const socket of sockets) {
      const response = responseInProgress(socket) as Response | undefined
      if (response !== undefined) response.cutByServer = true
    }
    server.closeAllConnections()
  }

  server.listen(address)
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      stopping = true
      const closed = once(server, 'close')
      server.close()
      const closeIdle = setInterval(() => server.closeIdleConnections(), 50)
      const cut = setTimeout(cutAll, stopWithinMs)
      await closed
      clearInterval(closeIdle)
      clearTimeout(cut)
    },
  }
}

const noProxy = new ServiceError('method_not_allowed', 'This is not a proxy.')

const noTarget = new ServiceError('invalid_request', 'The request target is not a valid path.')
