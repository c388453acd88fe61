/**
 * From an HTTP upgrade to a stream.
 *
 * - The token is consumed once, before the upgrade, after everything else was checked. A server without capacity, or one
 *   that is about to stop, refuses over HTTP. A refusal does not consume the token.
 * - Only streams with a valid token count as connections.
 * - A stream ends when the key that minted its token is revoked or the workspace is suspended.
 * - A browser cannot read a failed upgrade. Therefore a problem with a token or its workspace is sent on the open socket,
 *   as an `error` and as the close code, within the limits of `refused-sockets.ts`.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { KeyWatch } from '@parlance/clients/api-key'
import { type ServiceError, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { onceClosed } from '../http/connection-end.js'
import { headerLines } from '../http/error-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { serverFailed, streamCloseCodeOf } from '../websocket/close-codes.js'
import type { OpenConnection, OpenSockets } from '../websocket/open-sockets.js'
import { createRefusedSockets } from '../websocket/refused-sockets.js'
import { createHandshakes, presentedToken, type SocketRoute, type SocketUpgrade } from '../websocket/upgrade.js'
import type { StreamAdmission, StreamPayer } from './stream-admission.js'

/** What the streams of all protocols have in common. */
export interface StreamsOptions {
  readonly streams: Pick<OpenSockets, 'checkRunning' | 'whileAdmitting' | 'add'>
  readonly keyWatch: Pick<KeyWatch, 'add'>
  readonly logger: Logger
}

/** The connection of a stream, as it is ended by the server. */
export interface StreamConnection extends OpenConnection {
  /** Stops all work at once, sends the error, and closes. */
  expel(error: ServiceError): void
}

/** The holder of what a client presented, and the token that is consumed for it; undefined for an API key. */
export interface IdentifiedClient<Grant> {
  readonly token: string | undefined
  readonly grant: Grant
}

/** What every stream reads of its address. */
interface StreamQuery {
  /** In seconds. */
  readonly inactivity_timeout: number
}

export interface AdmittedStream<Grant, Query extends StreamQuery = StreamQuery> {
  readonly socket: WebSocket
  /** The connection to which the socket writes. */
  readonly rawSocket: Duplex
  readonly grant: Grant
  readonly requestId: string
  readonly query: Query
}

interface StreamUpgradeOptions<Grant extends StreamPayer, Query extends StreamQuery> extends StreamsOptions {
  /** In Express's notation. */
  readonly path: string
  /** The subprotocols, of which the first that the client offers is accepted. Default: none. */
  readonly protocols?: readonly string[]
  readonly maxFrameBytes: number
  readonly admission: StreamAdmission<Grant>
  /** Reads the address, before the client is identified. Throws for one that is invalid. */
  readQuery(query: URLSearchParams, params: SocketUpgrade['params']): Query
  /** Checks what the client presents. */
  identify(req: IncomingMessage, query: URLSearchParams, requestId: string): Promise<IdentifiedClient<Grant>>
  /** Whether a refused client gets its error on the socket. By default none: the clients of other protocols read an HTTP response. */
  refusesOnSocket?(req: IncomingMessage): boolean
  /** The form of that error. Default: that of our own protocols. */
  refusal?(error: ServiceError, requestId: string): object
  /** The close code after it; 1011 for an error that is an HTTP response instead. Default: that of streams. */
  refusalCode?(error: ServiceError): number
  /** Headers of the response that opens the socket, as a flat array. */
  responseHeaders?(query: Query, requestId: string): readonly string[]
  openConnection(stream: AdmittedStream<Grant, Query>): StreamConnection
}

export const createStreamUpgrade = <Grant extends StreamPayer, Query extends StreamQuery>(
  options: StreamUpgradeOptions<Grant, Query>,
): SocketRoute => {
  const { path, maxFrameBytes, admission, readQuery, identify, openConnection, streams, keyWatch } = options
  const { protocols = [], refusalCode = streamCloseCodeOf } = options
  const handshakes = createHandshakes(protocols, maxFrameBytes)
  const refuseOnSocket = createRefusedSockets({
    ...{ handshakes, closeCodeOf: refusalCode },
    ...(options.refusal && { messageOf: options.refusal }),
  })
  const headersOf = new WeakMap<IncomingMessage, readonly string[]>()
  handshakes.on('headers', (lines, req) => lines.push(...headerLines(headersOf.get(req) ?? [])))

  /**
   * A connection counts towards `maxConnections` only after the client was identified. Clients without a valid token or key
   * cannot exhaust the limit.
   */
  const admit = async ({ req, query, requestId }: SocketUpgrade) => {
    const { token, grant } = await identify(req, query, requestId)
    const release = await streams.whileAdmitting(() => admission.admit(token, grant, requestId))
    return { grant, release }
  }

  return {
    path,
    async accept(upgrade) {
      const { req, socket, head, requestId } = upgrade
      streams.checkRunning()
      const query = readQuery(upgrade.query, upgrade.params)
      let admitted: Awaited<ReturnType<typeof admit>>
      try {
        admitted = await admit(upgrade)
      } catch (thrown) {
        const error = toServiceError(thrown)
        if (options.refusesOnSocket?.(req) !== true || refusalCode(error) === serverFailed) throw error
        return refuseOnSocket(upgrade, error)
      }
      const { grant, release } = admitted
      onceClosed(socket, release)
      headersOf.set(req, options.responseHeaders?.(query, requestId) ?? [])
      handshakes.handleUpgrade(req, socket, head, (webSocket) => {
        const connection = openConnection({ socket: webSocket, rawSocket: socket, grant, requestId, query })
        webSocket.once('close', keyWatch.add(grant, connection.expel))
        streams.add(webSocket, connection)
      })
    },
  }
}

/** The query of a stream of our own protocols, as its route documents it. */
export const documentedStreamQuery = z.object({
  token: z.string().optional(),
  inactivity_timeout: z.number().min(5).max(180).optional().meta({ description: 'In seconds.', example: 60 }),
})

/** How the streams of our own protocols read an address, and identify a client by a token. */
export const byToken = <Grant extends StreamPayer>(
  protocol: string,
  limits: { readonly frame_bytes: number; readonly inactivity_timeout_seconds: number },
  admission: StreamAdmission<Grant>,
) => {
  const querySchema = z.object({
    token: z.string().optional(),
    inactivity_timeout: z.coerce.number().min(5).max(180).default(limits.inactivity_timeout_seconds),
  })
  return {
    protocols: [protocol],
    maxFrameBytes: limits.frame_bytes,
    admission,
    refusesOnSocket: () => true,
    readQuery: (query: URLSearchParams) => parseRequest(querySchema, Object.fromEntries(query)),
    async identify(req: IncomingMessage, query: URLSearchParams, requestId: string): Promise<IdentifiedClient<Grant>> {
      const token = presentedToken(req, query)
      return { token, grant: await admission.check(token, requestId) }
    },
  }
}
