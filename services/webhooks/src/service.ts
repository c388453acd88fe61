import { createClient, serve } from '@parlance/bus'
import { startAuditRelay } from '@parlance/clients/outbox'
import { auditContract, webhooksContract } from '@parlance/contracts'
import { createEgressClient } from '@parlance/egress'
import type { Service } from '@parlance/runtime'
import type { DatabaseSchema } from '@parlance/store'
import { createDeliver } from './deliveries/deliver.js'
import { removeOldEvents } from './deliveries/delivery-repository.js'
import { startDeliveryRunner } from './deliveries/delivery-runner.js'
import { installJobQueue, jobSchemaName, openJobQueue } from './deliveries/job-queue.js'
import { createSendEvent } from './deliveries/send-event.js'
import { resealSecrets } from './endpoints/secret-repository.js'
import { env, type WebhooksEnv } from './env.js'
import { createRecordEvents } from './events/record-events.js'
import { createWebhooksHandlers } from './handlers.js'

const schema: DatabaseSchema = {
  schema: jobSchemaName,
  migrations: new URL('../migrations/', import.meta.url),
  install: installJobQueue,
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

    // An attempt that takes twice the time is taken for one whose process has ended.
    const jobs = await openJobQueue(database, 2 * settings.WEBHOOK_TIMEOUT_SECONDS)
    const client = createEgressClient({ allow, ports })
    const send = createSendEvent({ client, timeoutMs })
    const runner = startDeliveryRunner({
      jobs,
      deliver: createDeliver({ database, peppers, jobs, send, now, logger, metrics }),
      concurrency: settings.WEBHOOK_CONCURRENCY,
      recoverEveryMs: timeoutMs,
      logger,
    })
    const handlers = createWebhooksHandlers({
      ...{ database, peppers, allow, ports, jobs, now },
      recordEvents: createRecordEvents({ database, jobs, now }),
      onDue: runner.wake,
    })
    const served = await serve(bus, webhooksContract, handlers, platform)
    const auditRelay = startAuditRelay({ database, audit: createClient(bus, auditContract), logger })

    let sweeping: Promise<unknown> = Promise.resolve()
    const sweep = setInterval(() => {
      sweeping = removeOldEvents(database, new Date(Date.now() - eventsKeptMs)).catch((err: unknown) =>
        logger.warn({ err }, 'Old events of webhooks could not be removed; it is tried again'),
      )
    }, sweepEveryMs)
    sweep.unref()

    return {
      ready: () => database.ready(),
      async stop() {
        clearInterval(sweep)
        await Promise.all([served.stop(), auditRelay.stop(), runner.stop(), sweeping])
        await client.close()
        await jobs.close()
        await database.close()
      },
    }
  },
}
