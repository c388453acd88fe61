/**
 * `/v1/tts/stream`: from an HTTP upgrade to a connection.
 *
 * - The token is consumed once, before the upgrade. A server that has no room, or is about to stop, says so before that, by
 *   HTTP, and leaves the token whole. Where a service fails that is asked after it, the token is gone: another is minted.
 * - A browser cannot read a failed upgrade. So what is wrong with a token or its workspace is told on the open socket, in
 *   an `error`, and in the code that closes it.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Client } from '@parlance/bus'
import {
  type authContract,
  type creditContract,
  errorBody,
  ServiceError,
  type StreamGrant,
  streamCloseCodes,
  streamLimits,
  streamProtocol,
  type tokensContract,
  toServiceError,
} from '@parlance/contracts'
import type { OpenSpeechBill, Synthesize, VoicePrices } from '@parlance/speech-client'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { checkStanding, rateLimited } from '../admission.js'
import { parseRequest } from '../parsed-request.js'
import type { LimitRate } from '../rate-limit/rate-limiter.js'
import { answeredUpgrade } from '../websocket/answered-upgrade.js'
import { checkHandshake, createHandshakes } from '../websocket/handshake.js'
import { presentedToken } from '../websocket/presented-token.js'
import { createSocketOutlet } from '../websocket/socket-outlet.js'
import type { Upgrade } from '../websocket/upgrades.js'
import { createVoiceCheck } from './checked-voice.js'
import { openStreamConnection, type StreamConnection } from './stream-connection.js'
import type { SpeakPassage } from './stream-context.js'

export interface StreamServerOptions {
  readonly tokens: Pick<Client<typeof tokensContract>, 'consumeStreamToken'>
  readonly auth: Pick<Client<typeof authContract>, 'getWorkspace'>
  readonly credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  readonly limitRate: LimitRate
  readonly findVoice: VoicePrices
  readonly openBill: OpenSpeechBill
  readonly synthesize: Synthesize
  readonly firstAudioDeadlineMs: number
  /** Connections at once. */
  readonly mostConnections: number
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface StreamServer {
  readonly upgrade: Upgrade
  /** Refuses new connections, lets those there are finish what they speak within this time, and closes them. */
  stop(withinMs: number): Promise<void>
}

const querySchema = z.object({
  token: z.string().optional(),
  inactivity_timeout: z.coerce.number().min(5).max(180).default(streamLimits.inactivity_timeout_seconds),
})

/** How a connection ends that was not admitted. */
const closeCodeOf = ({ status }: ServiceError): number =>
  ({
    401: streamCloseCodes.tokenInvalid,
    402: streamCloseCodes.insufficientCredit,
    403: streamCloseCodes.forbidden,
    429: streamCloseCodes.rateLimited,
  })[status] ?? 1011

/** A connection whose upgrade was answered. */
interface Accepted {
  readonly socket: WebSocket
  readonly wire: Duplex
}

export const createStreamServer = (options: StreamServerOptions): StreamServer => {
  const { tokens, auth, credit, limitRate, findVoice, openBill, synthesize, firstAudioDeadlineMs, logger, metrics } =
    options
  const checkVoice = createVoiceCheck(findVoice)
  const handshakes = createHandshakes(streamProtocol, streamLimits.frame_bytes)
  const connections = new Map<WebSocket, StreamConnection | undefined>()
  let asking = 0
  let stopping = false
  let emptied: (() => void) | undefined

  /** What the token is good for. Rejects with 401, 402, 403 or 429 for what the client is told on the socket. */
  const admit = async (token: string, requestId: string): Promise<StreamGrant> => {
    const context = { requestId }
    const grant = await tokens.consumeStreamToken({ token }, { context })
    const { workspace_id } = grant
    const workspace = await auth.getWorkspace({ workspace_id }, { context })
    checkStanding({ workspace_id, ...workspace }, 'tts')
    const rate = await limitRate(workspace_id)
    if (rate?.allowed === false) throw rateLimited()
    await credit.requireCredit({ workspace_id }, { context })
    return grant
  }

  const speakerFor = (grant: StreamGrant, requestId: string): SpeakPassage => {
    const context = { requestId }
    return async (request, { characters, later }) => {
      const bill = await openBill({ principal: grant, request, characters, agentId: null, context })
      const speech = synthesize(bill.request, {
        ...{ context, lane: bill.engine, deadlineMs: firstAudioDeadlineMs },
        purpose: later ? 'continuation' : 'stream',
      })
      return { bill, speech }
    }
  }

  const track = (socket: WebSocket): void => {
    connections.set(socket, undefined)
    metrics.streamsActive(connections.size)
    socket.on('error', (err) => logger.info({ err }, 'a stream broke'))
    socket.once('close', () => {
      connections.delete(socket)
      metrics.streamsActive(connections.size)
      if (connections.size === 0) emptied?.()
    })
  }

  const begin = (
    { socket, wire }: Accepted,
    grant: StreamGrant,
    requestId: string,
    inactivityTimeoutSeconds: number,
  ): void => {
    const connection = openStreamConnection({
      ...{ socket, wire, grant, requestId, inactivityTimeoutSeconds, logger },
      checkVoice: (request) => checkVoice(request, requestId),
      speakPassage: speakerFor(grant, requestId),
      onFirstAudio: (ttfaMs) => metrics.streamTimeToFirstAudio(ttfaMs / 1000),
      onContexts: metrics.streamContexts,
    })
    connections.set(socket, connection)
    if (stopping) connection.drain(0)
  }

  const refuse = ({ socket, wire }: Accepted, error: ServiceError, requestId: string): void => {
    const outlet = createSocketOutlet(socket, wire)
    outlet.send(errorBody(error, requestId))
    outlet.close(closeCodeOf(error), error.code)
  }

  const checkRoom = (): void => {
    if (stopping) throw new ServiceError('draining', 'This server is about to stop. Try again.')
    if (connections.size + asking >= options.mostConnections) {
      throw new ServiceError('capacity_exhausted', 'There are too many streams here now. Try again.')
    }
  }

  const answer = async (req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): Promise<void> => {
    checkHandshake(req)
    checkRoom()
    const { searchParams } = new URL(req.url ?? '/', 'http://localhost')
    const query = parseRequest(querySchema, Object.fromEntries(searchParams))
    asking += 1
    let admitted: StreamGrant | ServiceError
    try {
      admitted = await admit(presentedToken(req, searchParams), requestId)
    } catch (error) {
      admitted = toServiceError(error)
      if (closeCodeOf(admitted) === 1011) throw admitted
    } finally {
      asking -= 1
    }
    handshakes.handleUpgrade(req, socket, head, (webSocket) => {
      track(webSocket)
      const accepted = { socket: webSocket, wire: socket }
      if (admitted instanceof ServiceError) refuse(accepted, admitted, requestId)
      else begin(accepted, admitted, requestId, query.inactivity_timeout)
    })
  }

  return {
    upgrade: answeredUpgrade(answer, { logger, failed: 'a stream was not opened' }),
    async stop(withinMs) {
      stopping = true
      if (connections.size === 0) return
      const closed = new Promise<void>((resolve) => {
        emptied = resolve
      })
      for (const connection of connections.values()) connection?.drain(withinMs)
      const cut = setTimeout(() => {
        for (const socket of connections.keys()) socket.terminate()
      }, withinMs + 2_500)
      await closed
      clearTimeout(cut)
    },
  }
}
