import { randomUUID } from 'node:crypto'
import { createClient, createInProcessBus, serve } from '@parlance/bus'
import { type Peppers, parsePeppers } from '@parlance/clients/api-key'
import { type WebhookEvent, webhooksContract } from '@parlance/contracts'
import { createEgressClient, parseAllowedPlaces, type ResolveName } from '@parlance/egress'
import { webhooks } from '@parlance/service-webhooks'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { createMetrics } from '@parlance/telemetry'
import { startPostgresServer, type TestServer } from '@parlance/testing'
import { createDeliver } from '../src/deliveries/deliver.js'
import type { DeliveryJob } from '../src/deliveries/job-queue.js'
import { createSendEvent } from '../src/deliveries/send-event.js'
import { createRecordEvents } from '../src/events/record-events.js'
import { createWebhooksHandlers } from '../src/handlers.js'

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

/** Postgres creates endpoints at its own time, and only later events are sent to them. */
const aheadMs = 60_000

/** The service on a clock of the test: attempts are made when `advance` comes to their time. */
export const createScene = async (database: Database, options: SceneOptions = {}) => {
  const { timeoutMs = 5_000, resolve, wrap = (one: Database) => one } = options
  const bus = createInProcessBus()
  const beginMs = Math.ceil(Date.now() / 1000) * 1000 + aheadMs
  let nowMs = beginMs
  const now = () => new Date(nowMs)
  let due: { job: DeliveryJob; atMs: number }[] = []
  const jobs = {
    async schedule(_transaction: unknown, job: DeliveryJob, at: Date) {
      due.push({ job, atMs: at.getTime() })
    },
  }
  const allow = parseAllowedPlaces('127.0.0.1')
  const client = createEgressClient({ allow, ...(resolve && { resolve }) })
  const shared = { database: wrap(database), peppers: options.peppers ?? peppers, jobs, now }
  const metrics = createMetrics()
  const deliver = createDeliver({
    ...shared,
    send: createSendEvent({ client, timeoutMs }),
    logger: { warn() {} },
    metrics,
  })
  const handlers = createWebhooksHandlers({
    ...{ ...shared, allow, ports: undefined },
    recordEvents: createRecordEvents(shared),
    onDue() {},
  })
  const served = await serve(bus, webhooksContract, handlers, { instanceId: randomUUID() })
  const service = createClient(bus, webhooksContract)

  return {
    service,
    deliver,
    metrics,
    now,
    /** The jobs that wait. */
    due: () => due,
    /** Makes the attempts that are due now, and resolves with their number. */
    async runDue(): Promise<number> {
      const ready = due.filter(({ atMs }) => atMs <= nowMs)
      due = due.filter(({ atMs }) => atMs > nowMs)
      for (const { job } of ready) await deliver(job)
      return ready.length
    },
    /** Moves the clock to the next attempt. Resolves with the time since the scene began, in ms; undefined where none is due. */
    async runNext(): Promise<number | undefined> {
      const [first] = due.toSorted((a, b) => a.atMs - b.atMs)
      if (first === undefined) return undefined
      nowMs = Math.max(nowMs, first.atMs)
      due = due.filter((one) => one !== first)
      await deliver(first.job)
      return nowMs - beginMs
    },
    advance(ms: number) {
      nowMs += ms
    },
    /** Resolves with the id of the event. */
    async happen(workspaceId: string, { event = published, at = now() }: Happening = {}): Promise<string> {
      const id = randomUUID()
      await service.recordEvents({ events: [{ id, workspace_id: workspaceId, at: at.toISOString(), event }] })
      return id
    },
    create: (workspace_id: string, url: string, events: WebhookEvent['type'][] = ['agent.published']) =>
      service.createWebhook({ workspace_id, webhook: { url, events } }),
    async stop() {
      await served.stop()
      await client.close()
      await bus.close()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof createScene>>
