import type { Client } from '@parlance/bus'
import {
  type AuditEvent,
  type auditContract,
  auditEventSchema,
  type WebhookEvent,
  webhookEventSchema,
  type webhooksContract,
} from '@parlance/contracts'
import { type Database, type Queryable, type Sweep, startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { z } from 'zod'

/**
 * An event for another service is added to the table `outbox` of the schema in the transaction of the change, and sent later.
 * So it is sent if and only if the change was committed. An event keeps its id; a receiver recognizes an event that it receives
 * twice by the id.
 */
export interface OutboxEvent {
  readonly id: string
  readonly workspaceId: string
  readonly createdAt: Date
  /** JSON. */
  readonly payload: unknown
}

interface NewOutboxEvent {
  readonly workspaceId: string
  /** The service that receives the event. */
  readonly destination: string
  readonly payload: object
}

/** Adds an event in a transaction that may write to the workspace. */
export const addToOutbox = async (
  transaction: Queryable,
  { workspaceId, destination, payload }: NewOutboxEvent,
): Promise<void> => {
  await transaction.query('insert into outbox (workspace_id, destination, payload) values ($1, $2, $3)', [
    workspaceId,
    destination,
    JSON.stringify(payload),
  ])
}

/** Adds an action to the audit log of a workspace, if the transaction commits. It appears in the log some seconds later. */
export const addToAuditLog = (transaction: Queryable, workspaceId: string, event: AuditEvent): Promise<void> =>
  addToOutbox(transaction, { workspaceId, destination: 'audit', payload: event })

/** Sends an event to the webhooks of a workspace, if the transaction commits. Triggers in migrations add events too. */
export const addToWebhooks = (transaction: Queryable, workspaceId: string, event: WebhookEvent): Promise<void> =>
  addToOutbox(transaction, { workspaceId, destination: 'webhooks', payload: event })

interface OutboxRelayOptions {
  readonly database: Pick<Database, 'acrossWorkspaces'>
  readonly destination: string
  /** Sends events in the order in which they happened. When it rejects, they are sent again, with the same ids. */
  readonly send: (events: readonly OutboxEvent[]) => Promise<unknown>
  readonly logger: Pick<Logger, 'warn'>
  /** Default 1,000. */
  readonly intervalMs?: number
}

const maxEvents = 100

/**
 * Sends the events of an outbox at an interval, until it is stopped. Any number of processes may do it at the same time. The next
 * relay sends the events that remain.
 */
export const startOutboxRelay = (options: OutboxRelayOptions): Pick<Sweep, 'stop'> =>
  startSweep(
    async (signal) => {
      for (let sent = maxEvents; sent === maxEvents && !signal.aborted; ) sent = await sendOldest(options)
    },
    {
      everyMs: options.intervalMs ?? 1_000,
      onFailed: (err) => options.logger.warn({ err }, 'Events could not be sent and will be sent again'),
    },
  )

interface Row {
  id: string
  workspace_id: string
  created_at: Date
  payload: unknown
}

/**
 * Removes the oldest events for a destination once `send` has resolved. Nothing is removed when it rejects. Events that another
 * process is sending are skipped. Resolves to the number of removed events.
 */
const sendOldest = ({ database, destination, send }: OutboxRelayOptions): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const rows = await transaction.query<Row>(
      `with taken as (
         delete from outbox where id in (
           select id from outbox where destination = $1 order by created_at, id limit $2 for update skip locked)
         returning *
       )
       select id, workspace_id, created_at, payload from taken order by created_at, id`,
      [destination, maxEvents],
    )
    const events = rows.map(({ id, workspace_id, created_at, payload }) => ({
      ...{ id, workspaceId: workspace_id, createdAt: created_at, payload },
    }))
    if (events.length > 0) await send(events)
    return events.length
  })

/** The events as the methods `recordEvents` take them. */
const recorded = <Event>(events: readonly OutboxEvent[], schema: z.ZodType<Event>) => ({
  events: events.map(({ id, workspaceId, createdAt, payload }) => ({
    ...{ id, workspace_id: workspaceId, at: createdAt.toISOString() },
    event: schema.parse(payload),
  })),
})

type RelayedOutbox = Pick<OutboxRelayOptions, 'database' | 'logger'>

/** Sends the actions of a schema to the service that keeps the audit log. */
export const startAuditRelay = ({
  audit,
  ...options
}: RelayedOutbox & { readonly audit: Pick<Client<typeof auditContract>, 'recordEvents'> }) =>
  startOutboxRelay({
    ...options,
    destination: 'audit',
    send: (events) => audit.recordEvents(recorded(events, auditEventSchema)),
  })

/** Sends the events of a schema to the service that delivers them to webhooks. */
export const startWebhookRelay = ({
  webhooks,
  ...options
}: RelayedOutbox & { readonly webhooks: Pick<Client<typeof webhooksContract>, 'recordEvents'> }) =>
  startOutboxRelay({
    ...options,
    destination: 'webhooks',
    send: (events) => webhooks.recordEvents(recorded(events, webhookEventSchema)),
  })
