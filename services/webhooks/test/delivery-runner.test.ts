import { randomUUID } from 'node:crypto'
import { createEgressClient, parseAllowedPlaces } from '@parlance/egress'
import type { Database } from '@parlance/store'
import { createMetrics } from '@parlance/telemetry'
import { describeWithPrograms, startWebhookReceiver, type TestServer } from '@parlance/testing'
import { createDeliver } from '../src/deliveries/deliver.js'
import { type ClaimedDelivery, claimDeliveries } from '../src/deliveries/delivery-repository.js'
import { startDeliveryRunner } from '../src/deliveries/delivery-runner.js'
import { createSendEvent } from '../src/deliveries/send-event.js'
import { createRecordEvents } from '../src/record-events.js'
import { addEndpoint, peppers, published, startDatabase } from './scene.js'

const logger = { warn() {} }
/** Events are sent to webhooks that were created before them. */
const now = () => new Date(Date.now() + 1_000)

describeWithPrograms(['postgres'], 'the attempts that a process makes at a time', () => {
  let server: TestServer
  let database: Database

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  const claim = (limit: number, exceptWorkspaces: readonly string[]) =>
    claimDeliveries(database, { limit, exceptWorkspaces, now: now(), until: new Date(Date.now() + 600_000) })
  /** Makes deliveries of one workspace due. Resolves with the ids of their events. */
  const happen = async (url: string, count: number): Promise<string[]> => {
    const workspaceId = await addEndpoint(database, url)
    const at = now().toISOString()
    const ids = Array.from({ length: count }, () => randomUUID())
    const record = createRecordEvents({ database, now })
    await record(ids.map((id) => ({ id, workspace_id: workspaceId, at, event: published })))
    return ids
  }

  test('are at most a quarter for one workspace, so that an endpoint that hangs does not delay those of others', async () => {
    const client = createEgressClient({ allow: parseAllowedPlaces('127.0.0.1') })
    const [hanging, healthy] = [await startWebhookReceiver(), await startWebhookReceiver()]
    const waiting: (() => void)[] = []
    let isReleased = false
    hanging.answer = (response) => {
      const answer = () => void response.writeHead(204).end()
      if (isReleased) answer()
      else waiting.push(answer)
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
    const deliver = createDeliver({ database, peppers, send, now, logger, metrics: createMetrics() })
    const runner = startDeliveryRunner({ claim, deliver, concurrency: 20, logger })
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
  })

  test('use the whole limit when enough workspaces have due deliveries', async () => {
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
    const deliver = async ({ workspaceId }: ClaimedDelivery): Promise<void> => {
      running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1)
      started += 1
      if (started === 8) onFull()
      await released
    }
    for (let count = 0; count < 5; count += 1) await happen('https://hooks.example/', 10)
    const runner = startDeliveryRunner({ claim, deliver, concurrency: 8, logger })
    await full
    const counts = [...running.values()]
    expect([Math.max(...counts), counts.reduce((sum, count) => sum + count)]).toEqual([2, 8])
    const stopped = runner.stop()
    release()
    await stopped
  })
})
