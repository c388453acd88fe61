import { createClient, serve } from '@parlance/bus'
import { apiKeyEnv } from '@parlance/clients/api-key'
import { startAuditRelay } from '@parlance/clients/outbox'
import { auditContract, webhooksContract } from '@parlance/contracts'
import { createEgressClient, createEgressGuard, outboundVariables } from '@parlance/egress'
import type { Service } from '@parlance/runtime'
import { type DatabaseSchema, startSweep } from '@parlance/store'
import { z } from 'zod'
import { createDeliver } from './deliveries/deliver.js'
import { claimDeliveries, removeOldEvents } from './deliveries/delivery-repository.js'
import { startDeliveryRunner } from './deliveries/delivery-runner.js'
import { createSendEvent } from './deliveries/send-event.js'
import { resealSecrets } from './endpoints/secret-repository.js'
import { createWebhooksHandlers } from './handlers.js'
import { createRecordEvents } from './record-events.js'

export const env = z.object({
  API_KEY_PEPPERS: apiKeyEnv.shape.API_KEY_PEPPERS,
  ...outboundVariables,
  WEBHOOK_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(15)
    .describe('how long a webhook may take to answer, in seconds from 1 to 60'),
  WEBHOOK_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe(
      'the requests to webhooks that a process makes at a time, from 1 to 500, a quarter of them for one workspace at most',
    ),
})
type WebhooksEnv = z.infer<typeof env>

const schema: DatabaseSchema = {
  schema: 'webhooks',
  migrations: new URL('../migrations/', import.meta.url),
}

const sweepEveryMs = 60 * 60 * 1000
const eventsKeptMs = 30 * 24 * sweepEveryMs
const now = () => new Date()

export const webhooks: Service<WebhooksEnv> = {
  name: 'webhooks',
  needs: ['bus', 'database'],
  databases: [schema],
  env,

  async start(platform, settings) {
    const { bus, logger, metrics } = platform
    const { API_KEY_PEPPERS: peppers, OUTBOUND_ALLOW: allow, OUTBOUND_PORTS: ports } = settings
    const timeoutMs = settings.WEBHOOK_TIMEOUT_SECONDS * 1000
    const database = await platform.openDatabase(schema)
    const { resealed, unreadable } = await resealSecrets(database, peppers)
    if (resealed > 0) logger.info({ count: resealed }, 'Secrets of webhooks were sealed under the current pepper')
    if (unreadable > 0) {
      logger.error({ count: unreadable }, 'Secrets of webhooks cannot be read: their pepper was removed')
    }

    const client = createEgressClient({ allow, ports })
    const send = createSendEvent({ client, timeoutMs })
    const runner = startDeliveryRunner({
      claim(limit, exceptWorkspaces) {
        const claimedAt = now()
        // After twice the time limit of an attempt, its process is assumed to have ended.
        const until = new Date(claimedAt.getTime() + 2 * timeoutMs)
        return claimDeliveries(database, { limit, exceptWorkspaces, now: claimedAt, until })
      },
      deliver: createDeliver({ database, peppers, send, now, logger, metrics }),
      concurrency: settings.WEBHOOK_CONCURRENCY,
      logger,
    })
    const handlers = createWebhooksHandlers({
      ...{ database, peppers, now },
      guard: createEgressGuard({ allow, ports }),
      recordEvents: createRecordEvents({ database, now }),
      onDue: runner.wake,
    })
    const served = await serve(bus, webhooksContract, handlers, platform)
    const auditRelay = startAuditRelay({ database, audit: createClient(bus, auditContract), logger })

    const sweep = startSweep((signal) => removeOldEvents(database, new Date(Date.now() - eventsKeptMs), signal), {
      everyMs: sweepEveryMs,
      onFailed: (err) => logger.warn({ err }, 'Old events of webhooks could not be removed and will be removed later'),
    })

    return {
      ready: () => database.ready(),
      async stop() {
        await Promise.all([served.stop(), auditRelay.stop(), runner.stop(), sweep.stop()])
        await client.close()
        await database.close()
      },
    }
  },
}
