/**
 * `/v1/tts/stream`: from an HTTP upgrade to a connection.
 *
 * - The token is consumed once, before the upgrade, after everything else was checked. A server without capacity, or one
 *   that is about to stop, refuses over HTTP. A refusal does not consume the token.
 * - Only streams with a valid token count as connections.
 * - A stream ends when the key that minted its token is revoked or the workspace is suspended.
 * - A browser cannot read a failed upgrade. Therefore a problem with a token or its workspace is sent on the open socket,
 *   as an `error` and as the close code, within the allowance of `refused-sockets.ts`.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { KeyWatch } from '@parlance/clients/api-key'
import type { VoicePrices } from '@parlance/clients/speech'
import {
  type ServiceError,
  type StreamGrant,
  streamCloseCodes,
  streamLimits,
  streamProtocol,
  toServiceError,
} from '@parlance/contracts'
import { currentSpan, type Logger, type Metrics } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { onceClosed } from '../http/connection-end.js'
import { parseRequest } from '../http/parsed-request.js'
import { createRequestTrace, type RequestTraceOptions } from '../http/request-context.js'
import { createRefusedSockets } from '../websocket/refused-sockets.js'
import {
  answeredUpgrade,
  checkHandshake,
  createHandshakes,
  presentedToken,
  type Upgrade,
} from '../websocket/upgrade.js'
import { createVoiceCheck } from './checked-voice.js'
import { createOpenStreams, type OpenStreamsOptions } from './open-streams.js'
import type { StreamAdmission } from './stream-admission.js'
import { openStreamConnection } from './stream-connection.js'
import { streamPath } from './stream-path.js'
import { createStreamSpeaker, type StreamSpeakerOptions } from './stream-speaker.js'

export interface StreamServerOptions extends OpenStreamsOptions, StreamSpeakerOptions, RequestTraceOptions {
  readonly admission: StreamAdmission
  readonly keyWatch: Pick<KeyWatch, 'add'>
  readonly findVoice: VoicePrices
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface StreamServer {
  readonly upgrade: Upgrade
  /** Refuses new connections, lets open ones finish what they speak within this time, and closes them. */
  stop(withinMs: number): Promise<void>
}

const querySchema = z.object({
  token: z.string().optional(),
  inactivity_timeout: z.coerce.number().min(5).max(180).default(streamLimits.inactivity_timeout_seconds),
})

/** The close code and the error for a refused connection. */
const closeCodeOf = ({ status }: ServiceError): number =>
  ({
    401: streamCloseCodes.tokenInvalid,
    402: streamCloseCodes.insufficientCredit,
    403: streamCloseCodes.forbidden,
    429: streamCloseCodes.rateLimited,
  })[status] ?? 1011

export const createStreamServer = (options: StreamServerOptions): StreamServer => {
  const { admission, keyWatch, findVoice, logger, metrics, tracing } = options
  const checkVoice = createVoiceCheck(findVoice)
  const handshakes = createHandshakes(streamProtocol, streamLimits.frame_bytes)
  const refuseOnSocket = createRefusedSockets({ handshakes, closeCodeOf })
  const streams = createOpenStreams(options)

  const begin = (
    socket: WebSocket,
    rawSocket: Duplex,
    grant: StreamGrant,
    requestId: string,
    inactivityTimeoutSeconds: number,
  ): void => {
    const parent = currentSpan()?.traceparent
    const connection = openStreamConnection({
      socket,
      rawSocket,
      grant,
      requestId,
      inactivityTimeoutSeconds,
      logger,
      checkVoice: (request) => checkVoice(request, requestId),
      speakBatch: createStreamSpeaker(options, grant, requestId),
      onFirstAudio: (ttfaMs) => metrics.streamTimeToFirstAudio(ttfaMs / 1000),
      onContexts: metrics.streamContexts,
      // A context is part of the trace of the request that opened its connection.
      startSpan: () => (parent === undefined ? undefined : tracing.startSpan('speak context', 'internal', { parent })),
    })
    socket.once(
      'close',
      keyWatch.add(grant, (error) => connection.expel(error, closeCodeOf(error))),
    )
    streams.add(socket, connection)
  }

  /**
   * A connection counts towards `maxConnections` only after its token was checked. Clients without a valid token cannot exhaust
   * the limit.
   */
  const admit = async (token: string, requestId: string) => {
    const grant = await admission.check(token, requestId)
    const release = await streams.whileAdmitting(() => admission.admit(token, grant, requestId))
    return { grant, release }
  }

  const answer = async (req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): Promise<void> => {
    checkHandshake(req)
    streams.checkRunning()
    const { searchParams } = new URL(req.url ?? '/', 'http://localhost')
    const query = parseRequest(querySchema, Object.fromEntries(searchParams))
    let admitted: Awaited<ReturnType<typeof admit>>
    try {
      admitted = await admit(presentedToken(req, searchParams), requestId)
    } catch (thrown) {
      const error = toServiceError(thrown)
      if (closeCodeOf(error) === 1011) throw error
      return refuseOnSocket({ req, socket, head, requestId }, error)
    }
    const { grant, release } = admitted
    onceClosed(socket, release)
    handshakes.handleUpgrade(req, socket, head, (webSocket) => {
      begin(webSocket, socket, grant, requestId, query.inactivity_timeout)
    })
  }

  return {
    upgrade: answeredUpgrade(answer, {
      logger,
      failed: 'A stream could not be opened',
      startSpan: createRequestTrace(options, 'GET', streamPath),
    }),
    stop: streams.stop,
  }
}
