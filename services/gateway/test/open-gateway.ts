import { randomUUID } from 'node:crypto'
import { createKeyWatch } from '@parlance/clients/api-key'
import type { ModelAdministration } from '@parlance/contracts'
import type { EgressRequest } from '@parlance/egress'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing, type Tracing } from '@parlance/telemetry'
import { createRateLimiter } from '../src/authentication/rate-limiter.js'
import type { AuthenticateKey } from '../src/authentication/require-key.js'
import { env } from '../src/env.js'
import { createGateway } from '../src/gateway.js'
import type { ClientTraceparent } from '../src/http/request-context.js'
import { openHttpServer } from '../src/http/server.js'
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
  docsAgentId?: string
  maxStreams?: number
  /** Default 2,000. */
  stopWithinMs?: number
  keepIdleMs?: number
  /** Default 5,000. */
  firstAudioDeadlineMs?: number
  stalledAfterMs?: number
}

/** A gateway that listens on a free port, with fake services behind it. Its log lines are in `lines`. */
export const openGateway = async ({ tracing = noTracing, ...given }: OpenGatewayOptions = {}) => {
  const ttl = given.ttl ?? createMemoryTtlStore()
  const services = await openFakeServices(ttl)
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    name: 'gateway',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const metrics = createMetrics()
  const { clients, reserver } = services
  const keyWatch = createKeyWatch({ auth: clients.auth, onFailure: () => {} })
  const transfers: EgressRequest[] = []
  const gateway = createGateway({
    clients,
    authenticate: given.authenticate ?? authenticate,
    limitStrangers: createRateLimiter({ ttl, perMinute: given.strangersPerMinute ?? 1_000_000, name: 'strangers' }),
    reserver,
    keyWatch,
    egress: {
      async send(request) {
        transfers.push(request)
        return { status: 200, mediaType: 'application/json', text: '{}' }
      },
    },
    ttl,
    instanceId: randomUUID(),
    logger,
    metrics,
    tracing,
    modelAdministration: given.modelAdministration,
    settings: {
      ...env.parse({ API_KEY_PEPPERS: '1:a-pepper-for-tests', API_KEY_ENVIRONMENT: 'dev' }),
      FIRST_AUDIO_DEADLINE_MS: given.firstAudioDeadlineMs ?? 5_000,
      CLIENT_TRACEPARENT: given.clientTraceparent ?? 'continue',
      RATE_LIMIT_PER_MINUTE: given.perMinute ?? 1_000_000,
      STREAM_LIMIT: given.maxStreams ?? 1_000,
      PUBLIC_URL: given.publicUrl,
      TRUSTED_PROXIES: [...(given.trustedProxies ?? [])],
      DOCS_AGENT_ID: given.docsAgentId,
    },
  })
  const { app, upgrades, streams, conversations, allBilled } = gateway
  const server = await openHttpServer(
    app,
    { port: 0, host: '127.0.0.1' },
    {
      ...{ logger, metrics, upgrades },
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
    conversations,
    /** What was sent to the API of a telephone network. */
    transfers,
    /** The first step of the service when it is asked to stop. */
    beginStop: gateway.beginStop,
    sessions: services.sessions,
    registry: services.registry,
    liveSessions: services.liveSessions,
    transcription: services.fakeTranscription,
    clients: services.clients,
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
    allBilled,
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
      await this.allBilled()
      await Promise.all([keyWatch.stop(), gateway.slots.stop()])
      await services.close()
      if (given.ttl === undefined) await ttl.close()
    },
  }
}

export type OpenGateway = Awaited<ReturnType<typeof openGateway>>
