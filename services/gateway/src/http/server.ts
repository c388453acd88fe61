import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { Express, Request, Response } from 'express'
import type { Upgrades } from '../websocket/upgrade.js'
import { closeOnceSent } from './connection-end.js'
import { rawErrorResponse } from './error-response.js'
import { createMessageClasses } from './express-messages.js'
import { createIdleConnections, kernelRead, responseInProgress } from './idle-connections.js'

/** Answers a request that did not reach Express on its raw socket, and closes the socket. */
const createUnparsedRequestAnswerer =
  (logger: Logger, metrics: Metrics) =>
  (socket: Duplex, error: ServiceError): void => {
    if (!socket.writable || responseInProgress(socket)?.headersSent) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    socket.end(rawErrorResponse(error, requestId))
    const { status } = error
    metrics.httpRequest('unparsed', undefined, status, 0)
    logger.info({ method: 'unparsed', route: 'unmatched', status, code: error.code, requestId }, 'A request ended')
  }

/** The response to an error of Node's HTTP parser. */
const describeParseError = (error: Error & { code?: string }): ServiceError => {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('invalid_request', 'The headers are larger than 16 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('payload_too_large', 'The chunk extensions of the body are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('invalid_request', 'The request took too long to arrive.')
    default:
      return new ServiceError('invalid_request', 'This is not a valid HTTP request.')
  }
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Node looks for requests that have exceeded these timeouts at this interval, by default each 30 s. */
  connectionsCheckingInterval: 1_000,
  /** Longer than load balancers keep an idle connection, so that they close it first. */
  keepAliveTimeout: 65_000,
}
/** A connection without traffic for this time is closed, even during a request. */
const defaultStalledAfterMs = 30_000

interface HttpServerOptions {
  logger: Logger
  /** Take over the connections of WebSockets, which the server does not track from then on. Default: none. */
  upgrades?: Upgrades
  metrics: Metrics
  /** The time, in ms, after which `stop` cuts requests that still run. */
  stopWithinMs: number
  /** The time, in ms, after which an idle connection is closed. Default 30,000. */
  stalledAfterMs?: number | undefined
  /**
   * How long a connection must be without a request before `stop` closes it, in ms, so that a request that is on its way is
   * answered. Default 0.
   */
  keepIdleMs?: number | undefined
}

export interface HttpServer {
  /** The port on which it listens, also when port 0 was requested. */
  readonly port: number
  /**
   * Accepts no new connections, finishes the requests that run, and resolves when all connections are closed, upgraded ones
   * too.
   */
  stop(): Promise<void>
}

interface ListenAddress {
  /** 0 for any free port. */
  port: number
  /** All addresses of the machine when left out. */
  host?: string | undefined
}

/** Resolves when the server listens. Rejects with the system's error when it cannot. */
export const openHttpServer = async (
  app: Express,
  address: ListenAddress,
  options: HttpServerOptions,
): Promise<HttpServer> => {
  const { logger, metrics, upgrades, stopWithinMs } = options
  const { stalledAfterMs = defaultStalledAfterMs, keepIdleMs = 0 } = options
  let stopping = false
  const sockets = new Set<Socket>()
  const server = createServer(
    { ...createMessageClasses(app, upgrades?.leadsToWebSocket), ...limits, requireHostHeader: false },
    (req: unknown, res: unknown) => handle(req as Request, res as Response),
  )
  server.timeout = stalledAfterMs

  const handle = (req: Request, res: Response): void => {
    // While the server stops, each connection is closed with its response.
    if (stopping) res.shouldKeepAlive = false
    // Express calls this instead of any middleware when it cannot read a path from the request.
    app(req, res, () => answerUnparsed(req.socket, noTarget))
  }

  const answerUnparsed = createUnparsedRequestAnswerer(logger, metrics)
  server.on('clientError', (error, socket) => {
    // Browsers open connections before they have a request, and would take an error on one for the response to it.
    if ((socket as Socket).bytesRead === 0) socket.destroy()
    else answerUnparsed(socket, describeParseError(error))
  })
  server.on('connect', (_req, socket) => {
    closeOnceSent(socket)
    answerUnparsed(socket, noProxy)
  })
  if (upgrades !== undefined) {
    server.on('upgrade', (req, socket, head) => {
      sockets.delete(socket as Socket)
      upgrades.upgrade(req, socket, head)
    })
  }
  // `Expect` may be ignored. Node's own response to an unknown expectation has no body.
  server.on('checkExpectation', handle)

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // `close` calls this. Node's own version closes connections at once, and cuts a response that is written but not sent yet.
  server.closeIdleConnections = () => {}

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
      for (const socket of sockets) closeWithResponse(socket)
      // The kernel resets connections that the process has not accepted when nothing listens any more.
      await kernelRead()
      const closed = once(server, 'close')
      server.close()
      const idle = createIdleConnections(sockets, keepIdleMs)
      void idle.close()
      const closeIdle = setInterval(idle.close, 50)
      const cut = setTimeout(cutAll, stopWithinMs)
      await closed
      clearInterval(closeIdle)
      clearTimeout(cut)
    },
  }
}

/**
 * Makes a response that has not begun announce that its connection will be closed, so that the client sends nothing after
 * it.
 */
const closeWithResponse = (socket: Socket): void => {
  const response = responseInProgress(socket)
  if (response?.headersSent === false) response.shouldKeepAlive = false
}

const noProxy = new ServiceError('method_not_allowed', 'This is not a proxy.')

const noTarget = new ServiceError('invalid_request', 'The request target is not a valid path.')
