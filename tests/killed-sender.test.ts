import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { type Bus, connectNatsBus, createClient, serve } from '@parlance/bus'
import { agentsContract, catalogContract, contract, webhooksContract } from '@parlance/contracts'
import {
  describeWithPrograms,
  endProcess,
  standInVoice,
  startNatsServer,
  startPostgresServer,
  startServiceProcess,
  startWebhookReceiver,
  type TestServer,
  type WebhookReceiver,
} from '@parlance/testing'
import pg from 'pg'
import { eventually } from './eventually.js'

const { findVoice } = catalogContract.methods
const voiceContract = contract({ ...catalogContract, methods: { findVoice } })
const { recordEvents } = webhooksContract.methods
const takingContract = contract({ ...webhooksContract, methods: { recordEvents } })

type Taken = Parameters<ReturnType<typeof createClient<typeof webhooksContract>>['recordEvents']>[0]

describeWithPrograms(
  ['nats', 'postgres'],
  'a service that is killed after it has committed what webhooks are sent',
  () => {
    let servers: TestServer[]
    let bus: Bus
    let database: pg.Client
    let receiver: WebhookReceiver
    let stopCatalog: () => Promise<void>
    let environment: Record<string, string>
    const children = new Set<ChildProcess>()

    const start = async (service: 'agents' | 'webhooks'): Promise<ChildProcess> => {
      const child = await startServiceProcess(service, environment)
      children.add(child)
      return child
    }
    const kill = async (child: ChildProcess): Promise<void> => {
      children.delete(child)
      await endProcess(child, 'SIGKILL')
    }

    beforeAll(async () => {
      const [nats, postgres] = await Promise.all([startNatsServer(), startPostgresServer()])
      servers = [nats, postgres]
      environment = {
        NATS_URL: nats.url,
        DATABASE_URL: postgres.url,
        API_KEY_PEPPERS: '1:a-pepper-for-tests-only',
        OUTBOUND_ALLOW: '127.0.0.1',
      }
      database = new pg.Client({ connectionString: postgres.url })
      await database.connect()
      bus = await connectNatsBus({ url: nats.url, name: 'test' })
      const catalog = await serve(bus, voiceContract, { findVoice: () => standInVoice }, { instanceId: randomUUID() })
      stopCatalog = () => catalog.stop()
    })
    beforeEach(async () => {
      receiver = await startWebhookReceiver()
    })
    afterEach(async () => {
      await Promise.all([...children].map(kill))
      await receiver.stop()
    })
    afterAll(async () => {
      await stopCatalog()
      await bus.close()
      await database.end()
      await Promise.all(servers.map((server) => server.stop()))
    })

    /** A workspace with a webhook. The service of webhooks does not run then. */
    const newWebhook = async () => {
      const workspace_id = randomUUID()
      const webhooks = await start('webhooks')
      const webhook = { url: receiver.url, events: ['agent.published' as const] }
      const { id: webhook_id } = await createClient(bus, webhooksContract).createWebhook({ workspace_id, webhook })
      await kill(webhooks)
      return { workspace_id, webhook_id }
    }

    /** Resolves when the publication is committed. */
    const publish = async (workspace_id: string): Promise<void> => {
      const agents = createClient(bus, agentsContract)
      const model = { llm_provider: 'builtin', llm_model: 'rules' }
      const config = { slug: 'front-desk', display_name: 'Front desk', voice_id: standInVoice.id, ...model }
      const { id: agent_id } = await agents.createAgent({ workspace_id, config })
      await agents.publishAgent({ workspace_id, agent_id })
    }

    const waiting = async (workspaceId: string): Promise<string[]> => {
      const { rows } = await database.query<{ id: string }>(
        `select id from agents.outbox where workspace_id = $1 and destination = 'webhooks'`,
        [workspaceId],
      )
      return rows.map(({ id }) => id)
    }

    /** Resolves when the sender has nothing left to send and the delivery has ended. */
    const settled = async ({ workspace_id, webhook_id }: Awaited<ReturnType<typeof newWebhook>>) => {
      await eventually(async () => ((await waiting(workspace_id)).length === 0 ? true : undefined))
      return eventually(async () => {
        const address = { workspace_id, webhook_id }
        const { deliveries } = await createClient(bus, webhooksContract).listDeliveries(address)
        return deliveries.length > 0 && deliveries.every(({ status }) => status !== 'pending') ? deliveries : undefined
      })
    }

    test('sends the event when it runs again, and the endpoint gets it once', async () => {
      const webhook = await newWebhook()
      const agents = await start('agents')
      await publish(webhook.workspace_id)
      await kill(agents)
      const [id, ...more] = await waiting(webhook.workspace_id)
      expect([id, more]).toEqual([expect.any(String), []])

      await Promise.all([start('webhooks'), start('agents')])
      expect(await settled(webhook)).toMatchObject([{ event_id: id, status: 'succeeded' }])
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id])
    })

    test('before it learns that the event was taken, sends it again with the same id, and the endpoint gets it once', async () => {
      const webhook = await newWebhook()
      const agents = await start('agents')
      let onTaken = (_taken: Taken) => {}
      const taken = new Promise<Taken>((resolve) => {
        onTaken = resolve
      })
      let answer = () => {}
      const taking = await serve(
        bus,
        takingContract,
        {
          async recordEvents(request) {
            onTaken(request)
            await new Promise<void>((resolve) => {
              answer = resolve
            })
            return {}
          },
        },
        { instanceId: randomUUID() },
      )
      await publish(webhook.workspace_id)
      const request = await taken
      await kill(agents)
      answer()
      await taking.stop()
      const [id] = await waiting(webhook.workspace_id)
      expect(request.events).toMatchObject([{ id, workspace_id: webhook.workspace_id }])

      await start('webhooks')
      await createClient(bus, webhooksContract).recordEvents(request)
      await start('agents')
      expect(await settled(webhook)).toMatchObject([{ event_id: id, status: 'succeeded' }])
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id])
    })
  },
)
