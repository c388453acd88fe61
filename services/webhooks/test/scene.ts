import { randomUUID } from 'node:crypto'
import { createClient, createInProcessBus, serve } from '@parlance/bus'
import { type Peppers, parsePeppers } from '@parlance/clients/api-key'
import { type WebhookEvent, webhooksContract } from '@parlance/contracts'
import { createEgressClient, createEgressGuard, parseAllowedPlaces, type ResolveName } from '@parlance/egress'
import { webhooks } from '@parlance/service-webhooks'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { createMetrics } from '@parlance/telemetry'
import { patientClient, startPostgresServer, type TestServer } from '@parlance/testing'
import { createDeliver } from '../src/deliveries/deliver.js'
import type { ClaimedDelivery } from '../src/deliveries/delivery-repository.js'
import { createSendEvent } from '../src/deliveries/send-event.js'
import { insertEndpoint } from '../src/endpoints/endpoint-repository.js'
import { addSecret } from '../src/endpoints/secret-repository.js'
import { createWebhooksHandlers } from '../src/handlers.js'
import { createRecordEvents } from '../src/record-events.js'

export const peppers = parsePeppers('1:a-pepper-for-tests-only')

export const published: WebhookEvent = {
  type: 'agent.published',
  data: {
    agent_id: randomUUID(),
    slug: 'front-desk',
    publication: { id: randomUUID(), version: 1 },
    revision: { id: randomUUID(), version: 1 },
  },
}

/** A Postgres with the tables of the service. */
export const startDatabase = async (): Promise<{ server: TestServer; database: Database }> => {
  const server = await startPostgresServer()
  const database = await openPostgresDatabase({ url: server.url, ...webhooks.databases![0]! })
  return { server, database }
}

/** Creates a workspace with a webhook. Resolves with the workspace. */
export const addEndpoint = async (database: Database, url: string): Promise<string> => {
  const workspaceId = randomUUID()
  await database.inWorkspace(workspaceId, async (transaction) => {
    const { id } = await insertEndpoint(transaction, workspaceId, { url, events: ['agent.published'], description: '' })
    await addSecret(transaction, peppers, { workspaceId, endpointId: id })
  })
  return workspaceId
}

export interface SceneOptions {
  readonly peppers?: Peppers
  readonly timeoutMs?: number
  readonly resolve?: ResolveName
  readonly wrap?: (database: Database) => Database
}

interface Happening {
  readonly event?: WebhookEvent
  readonly at?: Date
}

interface PendingDelivery extends ClaimedDelivery {
  readonly nextAttemptAt: Date
}

/** Postgres creates endpoints at its own time, and only later events are sent to them. */
const aheadMs = 60_000

/** The service on a clock of the test: attempts are made when `advance` reaches their time. */
export const createScene = async (database: Database, options: SceneOptions = {}) => {
  const { timeoutMs = 5_000, resolve, wrap = (one: Database) => one } = options
  const bus = createInProcessBus()
  const beginMs = Math.ceil(Date.now() / 1000) * 1000 + aheadMs
  let nowMs = beginMs
  const now = () => new Date(nowMs)
  /** The workspaces of the scene, since suites share a database. */
  const workspaceIds = new Set<string>()
  const allow = parseAllowedPlaces('127.0.0.1')
  const client = createEgressClient({ allow, ...(resolve && { resolve }) })
  const shared = { database: wrap(database), peppers: options.peppers ?? peppers, now }
  const metrics = createMetrics()
  const deliver = createDeliver({
    ...shared,
    send: createSendEvent({ client, timeoutMs }),
    logger: { warn() {} },
    metrics,
  })
  const handlers = createWebhooksHandlers({
    ...shared,
    guard: createEgressGuard({ allow }),
    recordEvents: createRecordEvents(shared),
    onDue() {},
  })
  const served = await serve(bus, webhooksContract, handlers, { instanceId: randomUUID() })
  const service = patientClient(createClient(bus, webhooksContract))

  /** The waiting deliveries, the earliest first. */
  const pending = (): Promise<PendingDelivery[]> =>
    database.acrossWorkspaces((transaction) =>
      transaction.query<PendingDelivery>(
        `select workspace_id as "workspaceId", id as "deliveryId", run, next_attempt_at as "nextAttemptAt" from deliveries
         where status = 'pending' and workspace_id = any ($1) order by next_attempt_at, created_at, id`,
        [[...workspaceIds]],
      ),
    )

  return {
    service,
    deliver,
    metrics,
    now,
    pending,
    /** Makes the attempts that are due now, and resolves with their number. */
    async runDue(): Promise<number> {
      const due = (await pending()).filter(({ nextAttemptAt }) => nextAttemptAt <= now())
      for (const delivery of due) await deliver(delivery)
      return due.length
    },
    /**
     * Moves the clock to the next attempt. Resolves with the time since the scene began, in ms; undefined where none is
     * due.
     */
    async runNext(): Promise<number | undefined> {
      const [first] = await pending()
      if (first === undefined) return undefined
      nowMs = Math.max(nowMs, first.nextAttemptAt.getTime())
      await deliver(first)
      return nowMs - beginMs
    },
    advance(ms: number) {
      nowMs += ms
    },
    /** Resolves with the id of the event. */
    async happen(workspaceId: string, { event = published, at = now() }: Happening = {}): Promise<string> {
      workspaceIds.add(workspaceId)
      const id = randomUUID()
      await service.recordEvents({ events: [{ id, workspace_id: workspaceId, at: at.toISOString(), event }] })
      return id
    },
    create(workspace_id: string, url: string, events: WebhookEvent['type'][] = ['agent.published']) {
      workspaceIds.add(workspace_id)
      return service.createWebhook({ workspace_id, webhook: { url, events } })
    },
    async stop() {
      await served.stop()
      await client.close()
      await bus.close()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof createScene>>
