import { randomUUID } from 'node:crypto'
import { createEgressClient, parseAllowedPlaces } from '@parlance/egress'
import type { Database } from '@parlance/store'
import { createMetrics } from '@parlance/telemetry'
import { describeWithPrograms, startWebhookReceiver, type TestServer } from '@parlance/testing'
import { createDeliver } from '../src/deliveries/deliver.js'
import { startDeliveryRunner } from '../src/deliveries/delivery-runner.js'
import { type DeliveryJob, type JobQueue, openJobQueue } from '../src/deliveries/job-queue.js'
import { createSendEvent } from '../src/deliveries/send-event.js'
import { insertEndpoint } from '../src/endpoints/endpoint-repository.js'
import { addSecret } from '../src/endpoints/secret-repository.js'
import { createRecordEvents } from '../src/events/record-events.js'
import { peppers, published, startDatabase } from './scene.js'

const logger = { warn() {} }
const now = () => new Date()

describeWithPrograms(['postgres'], 'the attempts that a process makes at a time', () => {
  let server: TestServer
  let database: Database
  let jobs: JobQueue

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
    jobs = await openJobQueue(database, 600)
  }, 60_000)
  afterAll(async () => {
    await jobs.close()
    await database.close()
    await server.stop()
  }, 30_000)

  test('are a quarter for one workspace at most, so that one whose endpoint hangs does not delay those of others', async () => {
    const client = createEgressClient({ allow: parseAllowedPlaces('127.0.0.1') })
    const [hanging, healthy] = [await startWebhookReceiver(), await startWebhookReceiver()]
    const waiting: (() => void)[] = []
    let isReleased = false
    hanging.answer = (response) => {
      const answer = () => void response.writeHead(204).end()
      if (isReleased) answer()
      else waiting.push(answer)
    }
    const record = createRecordEvents({ database, jobs, now })
    const happen = async (url: string, count: number): Promise<string[]> => {
      const workspaceId = randomUUID()
      await database.inWorkspace(workspaceId, async (transaction) => {
        const webhook = { url, events: ['agent.published' as const], description: '' }
        const { id } = await insertEndpoint(transaction, workspaceId, webhook)
        await addSecret(transaction, peppers, { workspaceId, endpointId: id })
      })
      const at = new Date(Date.now() + 1_000).toISOString()
      const ids = Array.from({ length: count }, () => randomUUID())
      await record(ids.map((id) => ({ id, workspace_id: workspaceId, at, event: published })))
      return ids
    }
    const many = await happen(hanging.url, 60)
    const delivered = new Promise<void>((resolve) => {
      healthy.answer = (response) => {
        response.writeHead(204).end()
        resolve()
      }
    })
    const [one] = await happen(healthy.url, 1)

    const send = createSendEvent({ client, timeoutMs: 60_000 })
    const deliver = createDeliver({ database, peppers, jobs, send, now, logger, metrics: createMetrics() })
    const runner = startDeliveryRunner({ jobs, deliver, concurrency: 20, recoverEveryMs: 60_000, logger })
    await delivered
    expect(healthy.received.map(({ headers }) => headers['webhook-id'])).toEqual([one])
    expect(waiting.length).toBeLessThanOrEqual(5)

    const all = new Promise<void>((resolve) => {
      const answer = hanging.answer
      hanging.answer = (response, count) => {
        answer(response, count)
        if (hanging.received.length === many.length) resolve()
      }
    })
    isReleased = true
    for (const answer of waiting) answer()
    await all
    await runner.stop()
    expect(hanging.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(many.toSorted())
    await client.close()
    await Promise.all([hanging.stop(), healthy.stop()])
  }, 60_000)

  test('are as many as may be made, of as many workspaces as it takes', async () => {
    const running = new Map<string, number>()
    let started = 0
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let onFull = () => {}
    const full = new Promise<void>((resolve) => {
      onFull = resolve
    })
    const deliver = async ({ workspaceId }: DeliveryJob): Promise<void> => {
      running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1)
      started += 1
      if (started === 8) onFull()
      await released
    }
    await database.transaction(async (transaction) => {
      for (const workspaceId of Array.from({ length: 5 }, () => randomUUID())) {
        for (let number = 0; number < 10; number += 1)
          await jobs.schedule(
            transaction,
            { workspaceId, deliveryId: randomUUID(), run: 1 },
            new Date(Date.now() - 1_000),
          )
      }
    })
    const runner = startDeliveryRunner({ jobs, deliver, concurrency: 8, recoverEveryMs: 60_000, logger })
    await full
    const counts = [...running.values()]
    expect([Math.max(...counts), counts.reduce((sum, count) => sum + count)]).toEqual([2, 8])
    const stopped = runner.stop()
    release()
    await stopped
  }, 60_000)
})
