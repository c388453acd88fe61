/** `/v1/tts/stream`: streams of speech. */
import type { OrderSpeech, VoicePrices } from '@parlance/clients/speech'
import { type StreamGrant, streamLimits, streamProtocol } from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import { currentSpan, type Metrics, type Tracing } from '@parlance/telemetry'
import type { SocketRoute } from '../websocket/upgrade.js'
import type { StreamAdmission } from './stream-admission.js'
import { openStreamConnection, type StreamDialect } from './stream-connection.js'
import { createVoiceCheck } from './stream-request.js'
import {
  type AdmittedStream,
  byToken,
  createStreamUpgrade,
  type StreamConnection,
  type StreamsOptions,
} from './stream-upgrade.js'

export const streamPath = '/v1/tts/stream'

export interface SpeechStreamsOptions extends StreamsOptions {
  readonly admission: StreamAdmission<StreamGrant>
  readonly findVoice: VoicePrices
  readonly orderSpeech: OrderSpeech
  readonly metrics: Metrics
  readonly tracing: Pick<Tracing, 'startSpan'>
}

/** The maximum of unsent audio in a context; short enough that the audio of a slow engine is not delayed. */
const segmentBuffer = { maxBytes: 1024 * 1024, maxMs: 10_000, maxHoldMs: 250 }

/** Opens the connection of an admitted stream, for our own protocol or in the dialect of another. */
export const createOpenSpeech = ({ findVoice, orderSpeech, logger, metrics, tracing }: SpeechStreamsOptions) => {
  const checkVoice = createVoiceCheck(findVoice)
  return (stream: AdmittedStream<StreamGrant>, dialect?: StreamDialect): StreamConnection => {
    const { grant, requestId } = stream
    const parent = currentSpan()?.traceparent
    return openStreamConnection({
      ...stream,
      ...(dialect !== undefined && { dialect }),
      logger,
      checkVoice: (request) => checkVoice(request, requestId),
      orderBatch(request, { isFirst, aheadMs }) {
        const characters = countCodePoints(request.text)
        const order = { principal: grant, request, characters, agentId: null, context: { requestId } }
        return orderSpeech(order, { purpose: isFirst ? 'stream' : 'continuation', aheadMs, buffer: segmentBuffer })
      },
      onFirstAudio: (ttfaMs) => metrics.streamTimeToFirstAudio(ttfaMs / 1000),
      onContexts: metrics.streamContexts,
      // A context is part of the trace of the request that opened its connection.
      startSpan: () => (parent === undefined ? undefined : tracing.startSpan('speak context', 'internal', { parent })),
    })
  }
}

export const createSpeechSocket = (options: SpeechStreamsOptions): SocketRoute => {
  const openSpeech = createOpenSpeech(options)
  return createStreamUpgrade({
    ...options,
    ...byToken(streamProtocol, streamLimits, options.admission),
    path: streamPath,
    openConnection: (stream) => openSpeech(stream),
  })
}
