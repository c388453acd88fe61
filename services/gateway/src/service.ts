import { createKeyAuthenticator, createKeyUseRecorder, createKeyWatch } from '@parlance/clients/api-key'
import { createCreditReserver } from '@parlance/clients/credit'
import { createSessionRegistry, createUnconnectedStarts } from '@parlance/clients/session-registry'
import { createOrderSpeech, createSpeechBilling, createSynthesize, createVoicePrices } from '@parlance/clients/speech'
import type { ModelAdministration, ModelOffers } from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { createApp } from './app.js'
import { createRateLimiter, createVisitorLimiter } from './authentication/rate-limiter.js'
import { type AuthenticateKey, strangersPerMinute } from './authentication/require-key.js'
import { createSessionAuthorization } from './authentication/session-authorization.js'
import { env, type GatewayEnv } from './env.js'
import { createGatewayClients } from './gateway-clients.js'
import { openHttpServer } from './http/server.js'
import { installationOf } from './routes/dashboard/get-settings.js'
import { createSessionSocketServer } from './session-socket/session-socket-server.js'
import { createStreamAdmission } from './stream/stream-admission.js'
import { createStreamServer } from './stream/stream-server.js'
import { createStreamSlots } from './stream/stream-slots.js'
import { createTranscriptionBilling } from './transcription/transcription-billing.js'
import { createUpgrade, leadsToWebSocket } from './upgrades.js'

/** Shorter than the time limit for stopping the process, so that there is time for the rest after requests were cut. */
const stopWithinMs = 20_000

/** Calendar programs read a feed at most every few minutes. */
const feedReadsPerMinute = 60

/** The installers of models in the process of the gateway. */
export interface Installers {
  readonly modelOffers?: ModelOffers
  readonly modelAdministration?: ModelAdministration
}

/** `openInstallers` is called when the service starts. */
const createGateway = (openInstallers?: (logger: Logger) => Installers): Service<GatewayEnv> => ({
  name: 'gateway',
  needs: ['bus', 'ttl'],
  metrics: ['http', 'store', 'streams', 'reservations'],
  env,
  drainMs: (settings) => settings.STREAM_DRAIN_MS,

  async start(platform, settings) {
    const { bus, ttl, logger, metrics, tracing, instanceId } = platform
    const clients = createGatewayClients(bus)
    const { auth, catalog, tokens } = clients
    const checkKey = createKeyAuthenticator({
      ttl,
      auth,
      peppers: settings.API_KEY_PEPPERS,
      environment: settings.API_KEY_ENVIRONMENT,
    })
    const keyUses = createKeyUseRecorder({ record: (uses) => auth.recordKeyUse({ uses }) })
    const authenticate: AuthenticateKey = async (authorization, context, countUnknown) => {
      const principal = await checkKey(authorization, context, countUnknown)
      keyUses.used(principal.key_id)
      return principal
    }

    const keyWatch = createKeyWatch({
      auth,
      onFailure: (err) => logger.warn({ err }, 'The keys of open streams could not be checked'),
    })
    const reserver = createCreditReserver({ ttl, credit: clients.credit, logger, metrics })
    const findVoice = createVoicePrices({ catalog })
    const billing = createSpeechBilling({ priceOf: findVoice, reserver })
    const synthesize = createSynthesize(clients.tts)
    const firstAudioDeadlineMs = settings.FIRST_AUDIO_DEADLINE_MS
    const transcriptionBilling = createTranscriptionBilling({
      reserver,
      creditPerMinute: settings.TRANSCRIPTION_CREDIT_PER_MINUTE,
    })

    const stopping = new AbortController()
    const ready = () => !stopping.signal.aborted && bus.connected()
    const shared = {
      ...clients,
      authorizeSession: createSessionAuthorization({ registry: createSessionRegistry(ttl), tokens }),
      synthesize,
      limitRate: createRateLimiter({ ttl, perMinute: settings.RATE_LIMIT_PER_MINUTE }),
      findVoice,
      orderSpeech: createOrderSpeech({ openBill: billing.openBill, synthesize, firstAudioDeadlineMs }),
      openTranscriptionBill: transcriptionBilling.openBill,
      firstAudioDeadlineMs,
      logger,
      metrics,
      tracing,
      clientTraceparent: settings.CLIENT_TRACEPARENT,
    }
    const app = createApp({
      ...shared,
      authenticate,
      unconnectedStarts: createUnconnectedStarts({ ttl }),
      idempotency: { ttl, peppers: settings.API_KEY_PEPPERS },
      limitFeed: createRateLimiter({ ttl, perMinute: feedReadsPerMinute }),
      limitStrangers: createRateLimiter({ ttl, perMinute: strangersPerMinute, name: 'strangers' }),
      limitVisitors: createVisitorLimiter(ttl),
      installation: installationOf(settings),
      stopping: stopping.signal,
      ...openInstallers?.(logger),
      publicUrl: settings.PUBLIC_URL,
      trustedProxies: settings.TRUSTED_PROXIES,
    })
    const slots = createStreamSlots({ ttl, instanceId })
    const admission = createStreamAdmission({ ...shared, slots })
    const streams = createStreamServer({ ...shared, admission, keyWatch, maxConnections: settings.STREAM_LIMIT })
    const sessionSockets = createSessionSocketServer({ ...shared, maxConnections: settings.STREAM_LIMIT })
    const upgrade = createUpgrade({ streams: streams.upgrade, sessions: sessionSockets.upgrade })
    const address = { host: settings.HOST, port: settings.PORT }
    const server = await openHttpServer(app, address, {
      logger,
      metrics,
      stopWithinMs,
      keepIdleMs: settings.HTTP_DRAIN_MS,
      upgrade,
      leadsToWebSocket,
    })
    logger.info({ host: settings.HOST, port: server.port }, 'listening')

    return {
      ready,
      async stop() {
        stopping.abort()
        const drainMs = settings.STREAM_DRAIN_MS
        await Promise.all([server.stop(), streams.stop(drainMs), sessionSockets.stop(drainMs)])
        // Requests that were cut settle their bills a moment later.
        await Promise.all([billing.allClosed(), transcriptionBilling.allClosed()])
        await Promise.all([reserver.stop(), keyUses.stop(), keyWatch.stop(), slots.stop()])
      },
    }
  },
})

/** With `withInstallers` the pages of the gateway can install voices and models in its process. */
export const gateway = { ...createGateway(), withInstallers: createGateway }
