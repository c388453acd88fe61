import type { Client } from '@parlance/bus'
import { type WebhookEvent, webhookEventSchema, type webhooksContract } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import { addToOutbox, type OutboxEvent } from './outbox.js'
import { type OutboxRelay, type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.js'

/** Triggers in the migrations of services write the same name. */
const destination = 'webhooks'

/** Sends an event to the webhooks of a workspace, if the transaction commits. */
export const addToWebhooks = (transaction: Queryable, workspaceId: string, event: WebhookEvent): Promise<void> =>
  addToOutbox(transaction, { workspaceId, destination, payload: event })

type Webhooks = Pick<Client<typeof webhooksContract>, 'recordEvents'>

const sendTo = (webhooks: Webhooks) => (events: readonly OutboxEvent[]) =>
  webhooks.recordEvents({
    events: events.map(({ id, workspaceId, createdAt, payload }) => ({
      ...{ id, workspace_id: workspaceId, at: createdAt.toISOString() },
      event: webhookEventSchema.parse(payload),
    })),
  })

export interface WebhookRelayOptions extends Pick<OutboxRelayOptions, 'database' | 'logger'> {
  readonly webhooks: Webhooks
}

/** Sends the events of a schema to the service that delivers them to webhooks. */
export const startWebhookRelay = ({ webhooks, ...options }: WebhookRelayOptions): OutboxRelay =>
  startOutboxRelay({ ...options, destination, send: sendTo(webhooks) })
