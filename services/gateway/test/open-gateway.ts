import { randomUUID } from 'node:crypto'
import { createKeyWatch, parsePeppers } from '@parlance/clients/api-key'
import { createUnconnectedStarts } from '@parlance/clients/session-registry'
import { createOrderSpeech, createSpeechBilling, createSynthesize, createVoicePrices } from '@parlance/clients/speech'
import type { ModelAdministration } from '@parlance/contracts'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing, type Tracing } from '@parlance/telemetry'
import { createApp } from '../src/app.js'
import { createRateLimiter, createVisitorLimiter } from '../src/authentication/rate-limiter.js'
import type { AuthenticateKey } from '../src/authentication/require-key.js'
import { createSessionAuthorization } from '../src/authentication/session-authorization.js'
import type { ClientTraceparent } from '../src/http/request-context.js'
import { openHttpServer } from '../src/http/server.js'
import { createSessionSocketServer } from '../src/session-socket/session-socket-server.js'
import { createStreamAdmission } from '../src/stream/stream-admission.js'
import { createStreamServer } from '../src/stream/stream-server.js'
import { createStreamSlots } from '../src/stream/stream-slots.js'
import { createTranscriptionBilling } from '../src/transcription/transcription-billing.js'
import { createUpgrade, leadsToWebSocket } from '../src/upgrades.js'
import { authenticate, keys, openFakeServices } from './fake-services.js'

interface OpenGatewayOptions {
  modelAdministration?: ModelAdministration
  tracing?: Tracing
  clientTraceparent?: ClientTraceparent
  /** A shared one, which its owner closes. */
  ttl?: TtlStore
  perMinute?: number
  strangersPerMinute?: number
  authenticate?: AuthenticateKey
  publicUrl?: string
  trustedProxies?: readonly string[]
  maxStreams?: number
  /** Default 2,000. */
  stopWithinMs?: number
  keepIdleMs?: number
  /** Default 5,000. */
  firstAudioDeadlineMs?: number
  stalledAfterMs?: number
}

/** A gateway that listens on a free port, with fake services behind it. Its log lines are in `lines`. */
export const openGateway = async ({
  tracing = noTracing,
  clientTraceparent = 'continue',
  perMinute = 1_000_000,
  ...given
}: OpenGatewayOptions = {}) => {
  const ttl = given.ttl ?? createMemoryTtlStore()
  const services = await openFakeServices(ttl)
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    name: 'gateway',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const metrics = createMetrics()
  const { catalog, reserver } = services
  const findVoice = createVoicePrices({ catalog })
  const billing = createSpeechBilling({ priceOf: findVoice, reserver })
  const synthesize = createSynthesize(services.tts)
  const firstAudioDeadlineMs = given.firstAudioDeadlineMs ?? 5_000
  const transcriptionBilling = createTranscriptionBilling({ reserver, creditPerMinute: '0.006' })
  const keyWatch = createKeyWatch({ auth: services.auth, onFailure: () => {} })
  const shared = {
    limitRate: createRateLimiter({ ttl, perMinute }),
    synthesize,
    credit: services.credit,
    auth: services.auth,
    tokens: services.tokens,
    live: services.live,
    authorizeSession: createSessionAuthorization({ registry: services.registry, tokens: services.tokens }),
    findVoice,
    orderSpeech: createOrderSpeech({ openBill: billing.openBill, synthesize, firstAudioDeadlineMs }),
    transcription: services.transcription,
    openTranscriptionBill: transcriptionBilling.openBill,
    firstAudioDeadlineMs,
    logger,
    metrics,
    tracing,
    clientTraceparent,
  }
  const stopping = new AbortController()
  const app = createApp({
    ...shared,
    authenticate: given.authenticate ?? authenticate,
    unconnectedStarts: createUnconnectedStarts({ ttl }),
    idempotency: { ttl, peppers: parsePeppers('1:a-pepper-for-tests') },
    catalog,
    calendar: services.calendar,
    limitFeed: createRateLimiter({ ttl, perMinute: 60 }),
    limitStrangers: createRateLimiter({ ttl, perMinute: given.strangersPerMinute ?? 1_000_000, name: 'strangers' }),
    limitVisitors: createVisitorLimiter(ttl),
    agents: services.agents,
    sessions: services.records,
    knowledge: services.knowledge,
    memory: services.memory,
    modelProviders: services.modelProviders,
    people: services.people,
    recordings: services.recordings.client,
    webhooks: services.webhooks,
    audit: services.audit,
    stopping: stopping.signal,
    installation: { version: '1.2.3', keyEnvironment: 'dev', requestsPerMinute: perMinute },
    modelAdministration: given.modelAdministration,
    publicUrl: given.publicUrl,
    trustedProxies: given.trustedProxies ?? [],
  })
  const slots = createStreamSlots({ ttl, instanceId: randomUUID() })
  const admission = createStreamAdmission({ ...shared, slots })
  const streams = createStreamServer({ ...shared, admission, keyWatch, maxConnections: given.maxStreams ?? 1_000 })
  const sessionSockets = createSessionSocketServer({ ...shared, maxConnections: given.maxStreams ?? 1_000 })
  const upgrade = createUpgrade({ streams: streams.upgrade, sessions: sessionSockets.upgrade })
  const server = await openHttpServer(
    app,
    { port: 0, host: '127.0.0.1' },
    {
      logger,
      metrics,
      upgrade,
      leadsToWebSocket,
      stopWithinMs: given.stopWithinMs ?? 2_000,
      keepIdleMs: given.keepIdleMs,
      stalledAfterMs: given.stalledAfterMs,
    },
  )
  const url = `http://127.0.0.1:${server.port}`
  const authorization = `Bearer ${keys.good}`
  return {
    app,
    server,
    streams,
    sessionSockets,
    /** The first step of the service when it is asked to stop. */
    beginStop: () => stopping.abort(),
    sessions: services.sessions,
    registry: services.registry,
    liveSessions: services.liveSessions,
    transcription: services.fakeTranscription,
    url,
    lines,
    metrics,
    fakes: services.fakes,
    agentRequests: services.agentRequests,
    calendarRequests: services.calendarRequests,
    creditRequests: services.creditRequests,
    tokenRequests: services.tokenRequests,
    peopleRequests: services.peopleRequests,
    fakeRecordings: services.recordings.state,
    auditRequests: services.auditRequests,
    knowledgeRequests: services.knowledgeRequests,
    memoryRequests: services.memoryRequests,
    webhookRequests: services.webhookRequests,
    stopWebhooks: services.stopWebhooks,
    modelProviderRequests: services.modelProviderRequests,
    reserver,
    billing,
    transcriptionBilling,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, { headers: { authorization, ...headers }, redirect: 'manual' }),
    post: (path: string, body: unknown, options: RequestInit = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        ...options,
        headers: { authorization, 'content-type': 'application/json', ...(options.headers as Record<string, string>) },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    async close() {
      await server.stop()
      await Promise.all([billing.allClosed(), transcriptionBilling.allClosed()])
      await Promise.all([keyWatch.stop(), slots.stop()])
      await services.close()
      if (given.ttl === undefined) await ttl.close()
    },
  }
}

export type OpenGateway = Awaited<ReturnType<typeof openGateway>>
