import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { type Bus, connectNatsBus, createClient } from '@parlance/bus'
import { webhooksContract } from '@parlance/contracts'
import {
  describeWithPrograms,
  endProcess,
  startNatsServer,
  startPostgresServer,
  startServiceProcess,
  startWebhookReceiver,
  type TestServer,
  type WebhookReceiver,
} from '@parlance/testing'
import { published } from './scene.js'

describeWithPrograms(['nats', 'postgres'], 'a process that is killed', () => {
  let servers: TestServer[]
  let bus: Bus
  let receiver: WebhookReceiver
  let environment: Record<string, string>
  const children: ChildProcess[] = []

  const start = async (): Promise<ChildProcess> => {
    const child = await startServiceProcess('webhooks', environment)
    children.push(child)
    return child
  }

  beforeAll(async () => {
    const [nats, postgres] = await Promise.all([startNatsServer(), startPostgresServer()])
    servers = [nats, postgres]
    environment = {
      NATS_URL: nats.url,
      DATABASE_URL: postgres.url,
      API_KEY_PEPPERS: '1:a-pepper-for-tests-only',
      OUTBOUND_ALLOW: '127.0.0.1',
      WEBHOOK_TIMEOUT_SECONDS: '1',
    }
    receiver = await startWebhookReceiver()
    bus = await connectNatsBus({ url: nats.url, name: 'test' })
  })
  afterAll(async () => {
    await Promise.all(children.map((child) => endProcess(child, 'SIGKILL')))
    await bus.close()
    await receiver.stop()
    await Promise.all(servers.map((server) => server.stop()))
  })

  test('during a delivery loses no event: the next process delivers it again, with the same id', async () => {
    const first = await start()
    const service = createClient(bus, webhooksContract)
    const workspace_id = randomUUID()
    const webhook = { url: receiver.url, events: ['agent.published' as const] }
    const { id: webhook_id } = await service.createWebhook({ workspace_id, webhook })

    const event = { id: randomUUID(), workspace_id, at: new Date().toISOString(), event: published }
    const requested = new Promise<void>((resolve) => {
      receiver.answer = () => resolve()
    })
    await service.recordEvents({ events: [event] })
    await requested
    await endProcess(first, 'SIGKILL')

    const again = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        response.on('close', resolve)
        response.writeHead(204).end()
      }
    })
    await start()
    await again
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id])
    // The sender does not know whether the event was accepted, and sends it again.
    await service.recordEvents({ events: [event] })
    let deliveries = (await service.listDeliveries({ workspace_id, webhook_id })).deliveries
    while (deliveries[0]?.status === 'pending') {
      await new Promise((resolve) => setTimeout(resolve, 25))
      deliveries = (await service.listDeliveries({ workspace_id, webhook_id })).deliveries
    }
    expect(deliveries).toMatchObject([{ event_id: event.id, status: 'succeeded', attempts: [{ status: 204 }] }])
    expect(receiver.received).toHaveLength(2)
  })
})
