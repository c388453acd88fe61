/** Puts the parts of the gateway together: the HTTP API, and the WebSockets with their limits. */
import type { KeyWatch } from '@parlance/clients/api-key'
import type { CreditReserver } from '@parlance/clients/credit'
import { createSessionRegistry, createUnconnectedStarts } from '@parlance/clients/session-registry'
import { createOrderSpeech, createSpeechBilling, createSynthesize, createVoicePrices } from '@parlance/clients/speech'
import type { ModelAdministration, ModelOffers } from '@parlance/contracts'
import type { EgressClient } from '@parlance/egress'
import type { TtlStore } from '@parlance/store'
import type { Logger, Metrics, Tracing } from '@parlance/telemetry'
import { createApp } from './app.js'
import { createAdmission } from './authentication/admission.js'
import { createRateLimiter, createVisitorLimiter, type LimitRate } from './authentication/rate-limiter.js'
import type { AuthenticateKey } from './authentication/require-key.js'
import { createSessionAuthorization } from './authentication/session-authorization.js'
import { createCartesiaSocket } from './compat/cartesia/cartesia-routes.js'
import { createDeepgramSockets } from './compat/deepgram/deepgram-streams.js'
import { createElevenlabsSockets } from './compat/elevenlabs/elevenlabs-routes.js'
import { createJambonzListeningSocket } from './compat/jambonz/jambonz-listening.js'
import { createJambonzSpeechSocket } from './compat/jambonz/jambonz-speech.js'
import type { GatewayEnv } from './env.js'
import type { GatewayClients } from './gateway-clients.js'
import { createPublicUrl, createWebSocketUrl } from './http/public-url.js'
import { createDashboardDocument, createOpenapiDocument } from './openapi/document.js'
import { createRealtimeSocket } from './realtime/realtime-socket.js'
import { createVoicePreviews } from './routes/catalog/voice-previews.js'
import { dashboardRoutes } from './routes/dashboard/dashboard-routes.js'
import { installationOf } from './routes/dashboard/get-settings.js'
import { routes } from './routes/routes.js'
import { createSessionSocket } from './session-socket/session-sockets.js'
import { createListenSocket } from './stream/listen-streams.js'
import { createSpeechSocket } from './stream/speech-streams.js'
import { createStreamAdmission } from './stream/stream-admission.js'
import { createStreamSlots } from './stream/stream-slots.js'
import { createSpeak } from './synthesis/speech.js'
import { createPhoneSockets } from './telephony/phone-calls.js'
import { createRunTranscription } from './transcription/transcription.js'
import { createTranscriptionBilling } from './transcription/transcription-billing.js'
import { createOpenSockets } from './websocket/open-sockets.js'
import { createUpgrades } from './websocket/upgrade.js'

/** The installers of models in the process of the gateway. */
export interface Installers {
  readonly modelOffers?: ModelOffers | undefined
  readonly modelAdministration?: ModelAdministration | undefined
}

interface GatewayParts extends Installers {
  readonly clients: GatewayClients
  readonly authenticate: AuthenticateKey
  readonly limitStrangers: LimitRate
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly keyWatch: Pick<KeyWatch, 'add'>
  readonly egress: Pick<EgressClient, 'send'>
  readonly ttl: TtlStore
  readonly instanceId: string
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly settings: GatewayEnv
}

/** Calendar programs read a feed at most every few minutes. */
const feedReadsPerMinute = 60

export const createGateway = (parts: GatewayParts) => {
  const { clients, ttl, reserver, logger, metrics, settings } = parts
  const { catalog, tokens, tts } = clients
  const { FIRST_AUDIO_DEADLINE_MS: firstAudioDeadlineMs, STREAM_LIMIT: maxConnections } = settings
  const findVoice = createVoicePrices({ catalog })
  const billing = createSpeechBilling({ priceOf: findVoice, reserver })
  const transcriptionBilling = createTranscriptionBilling({
    reserver,
    creditPerMinute: settings.TRANSCRIPTION_CREDIT_PER_MINUTE,
  })
  const synthesize = createSynthesize(tts)
  const limitRate = createRateLimiter({ ttl, perMinute: settings.RATE_LIMIT_PER_MINUTE })
  const stopping = new AbortController()
  const slots = createStreamSlots({ ttl, instanceId: parts.instanceId })
  const streams = createOpenSockets({ maxConnections, logger, onCount: metrics.streamsActive })
  const conversations = createOpenSockets({ maxConnections, logger })

  const shared = {
    ...parts,
    ...clients,
    limitRate,
    admit: createAdmission(limitRate),
    authorizeSession: createSessionAuthorization({ registry: createSessionRegistry(ttl), tokens }),
    unconnectedStarts: createUnconnectedStarts({ ttl }),
    findVoice,
    orderSpeech: createOrderSpeech({ openBill: billing.openBill, synthesize, firstAudioDeadlineMs }),
    openTranscriptionBill: transcriptionBilling.openBill,
    clientTraceparent: settings.CLIENT_TRACEPARENT,
    publicUrl: createPublicUrl(settings.PUBLIC_URL),
  }
  const app = createApp({
    ...shared,
    idempotency: { ttl, peppers: settings.API_KEY_PEPPERS },
    limitFeed: createRateLimiter({ ttl, perMinute: feedReadsPerMinute }),
    limitVisitors: createVisitorLimiter(ttl),
    speak: createSpeak(shared),
    findPreview: createVoicePreviews({ catalog, synthesize, firstAudioDeadlineMs }),
    runTranscription: createRunTranscription(shared),
    installation: installationOf(settings),
    stopping: stopping.signal,
    webSocketUrl: createWebSocketUrl(settings.PUBLIC_URL),
    createOpenapiDocument: () => createOpenapiDocument(routes),
    createDashboardDocument: () => createDashboardDocument(dashboardRoutes),
    trustedProxies: settings.TRUSTED_PROXIES,
    docsAgentId: settings.DOCS_AGENT_ID,
  })

  const speech = {
    ...{ ...shared, streams },
    admission: createStreamAdmission({
      ...{ ...shared, slots, capability: 'tts' },
      checkToken: tokens.checkStreamToken,
      consumeToken: tokens.consumeStreamToken,
    }),
  }
  const listening = {
    ...{ ...shared, streams },
    admission: createStreamAdmission({
      ...{ ...shared, slots, capability: 'stt' },
      checkToken: tokens.checkListenToken,
      consumeToken: tokens.consumeListenToken,
    }),
  }
  const conversing = { ...shared, conversations }
  const sockets = [
    createSpeechSocket(speech),
    createListenSocket(listening),
    createCartesiaSocket(speech),
    ...createElevenlabsSockets(speech),
    ...createDeepgramSockets(speech, listening),
    createJambonzSpeechSocket(speech),
    createJambonzListeningSocket(listening),
    createSessionSocket(conversing),
    createRealtimeSocket(conversing, listening),
    ...createPhoneSockets({
      ...conversing,
      apiUrls: { twilio: settings.TWILIO_API_URL, telnyx: settings.TELNYX_API_URL, plivo: settings.PLIVO_API_URL },
    }),
  ]

  return {
    app,
    upgrades: createUpgrades(sockets, shared),
    streams,
    conversations,
    slots,
    /** Resolves when every bill that was requested so far is closed. */
    allBilled: async () => {
      await Promise.all([billing.allClosed(), transcriptionBilling.allClosed()])
    },
    /** Ends endless responses. */
    beginStop: () => stopping.abort(),
  }
}
