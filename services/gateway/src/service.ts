import { createKeyAuthenticator, createKeyUseRecorder, createKeyWatch } from '@parlance/clients/api-key'
import { createCreditReserver } from '@parlance/clients/credit'
import { createEgressClient } from '@parlance/egress'
import { type Service, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { createRateLimiter } from './authentication/rate-limiter.js'
import { type AuthenticateKey, strangersPerMinute } from './authentication/require-key.js'
import { env, type GatewayEnv } from './env.js'
import { createGateway, type Installers } from './gateway.js'
import { createGatewayClients } from './gateway-clients.js'
import { openHttpServer } from './http/server.js'
import { installationOf } from './routes/dashboard/get-settings.js'
import { openWyomingServer } from './wyoming/wyoming-server.js'

/** Shorter than the time limit for stopping the process, so that there is time for the rest after requests were cut. */
const stopWithinMs = 20_000

/** At which this process reaches itself. */
const localUrl = (host: string | undefined, port: number): string => {
  const isAny = host === undefined || host === '0.0.0.0' || host === '::'
  if (isAny) return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** `openInstallers` is called when the service starts. */
const createService = (openInstallers?: (logger: Logger) => Installers): Service<GatewayEnv> => ({
  name: 'gateway',
  needs: ['bus', 'ttl'],
  metrics: ['http', 'store', 'streams', 'reservations'],
  env,
  drainMs: (settings) => settings.STREAM_DRAIN_MS,

  async start(platform, settings) {
    const { bus, ttl, logger, metrics } = platform
    const { WYOMING_PORT: wyomingPort, WYOMING_API_KEY: wyomingKey } = settings
    if (wyomingPort !== undefined && wyomingKey === undefined) {
      throw new StartupError(['WYOMING_PORT requires WYOMING_API_KEY: the protocol has no authentication.'])
    }
    const clients = createGatewayClients(bus)
    const { auth, credit } = clients
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
    const reserver = createCreditReserver({ ttl, credit, logger, metrics })
    const egress = createEgressClient({ allow: settings.OUTBOUND_ALLOW, ports: settings.OUTBOUND_PORTS })
    const { app, upgrades, streams, conversations, ...gateway } = createGateway({
      ...platform,
      ...{ clients, authenticate, keyWatch, reserver, egress, settings },
      limitStrangers: createRateLimiter({ ttl, perMinute: strangersPerMinute, name: 'strangers' }),
      ...openInstallers?.(logger),
    })
    const address = { host: settings.HOST, port: settings.PORT }
    const server = await openHttpServer(app, address, {
      ...{ logger, metrics, upgrades, stopWithinMs },
      keepIdleMs: settings.HTTP_DRAIN_MS,
    })
    logger.info({ host: settings.HOST, port: server.port }, 'listening')
    const wyoming =
      wyomingPort === undefined || wyomingKey === undefined
        ? undefined
        : await openWyomingServer({
            ...{ ...clients, host: settings.WYOMING_HOST, port: wyomingPort, apiKey: wyomingKey, logger },
            gatewayUrl: localUrl(settings.HOST, server.port),
            version: installationOf(settings).version,
          })
    let isStopping = false

    return {
      ready: () => !isStopping && bus.connected(),
      async stop() {
        isStopping = true
        gateway.beginStop()
        const drainMs = settings.STREAM_DRAIN_MS
        await Promise.all([wyoming?.stop(drainMs), server.stop(), streams.stop(drainMs), conversations.stop(drainMs)])
        // Requests that were cut settle their bills a moment later.
        await gateway.allBilled()
        await Promise.all([egress.close(), reserver.stop(), keyUses.stop(), keyWatch.stop(), gateway.slots.stop()])
      },
    }
  },
})

/** With `withInstallers` the pages of the gateway can install voices and models in its process. */
export const gateway = { ...createService(), withInstallers: createService }
