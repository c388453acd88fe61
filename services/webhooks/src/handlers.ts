import type { Handlers } from '@parlance/bus'
import type { Peppers } from '@parlance/clients/api-key'
import { addToAuditLog } from '@parlance/clients/outbox'
import type { webhooksContract } from '@parlance/contracts'
import type { EgressGuard } from '@parlance/egress'
import type { Database } from '@parlance/store'
import { findDelivery, listDeliveries } from './deliveries/delivery-list.js'
import { abandonDeliveries, restartDelivery } from './deliveries/delivery-repository.js'
import {
  auditEventOf,
  changeEndpoint,
  changeEventOf,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
} from './endpoints/endpoint-repository.js'
import { addSecret, expireSecrets } from './endpoints/secret-repository.js'
import type { RecordEvents } from './record-events.js'

interface WebhooksHandlersOptions {
  readonly database: Database
  readonly peppers: Peppers
  readonly guard: Pick<EgressGuard, 'checkStored'>
  readonly recordEvents: RecordEvents
  /** Called when deliveries were made due. */
  readonly onDue: () => void
  readonly now: () => Date
}

/** How long earlier secrets also sign after a rotation. */
const overlapMs = 24 * 60 * 60 * 1000

const noWebhook = 'There is no such webhook.'

export const createWebhooksHandlers = (options: WebhooksHandlersOptions): Handlers<typeof webhooksContract> => {
  const { database, peppers, guard, recordEvents, onDue, now } = options

  return {
    async recordEvents({ events }) {
      await recordEvents(events)
      onDue()
      return {}
    },

    async createWebhook({ workspace_id, webhook, actor }) {
      await guard.checkStored('url', webhook.url)
      return database.inWorkspace(workspace_id, async (transaction) => {
        const created = await insertEndpoint(transaction, workspace_id, webhook)
        const secret = await addSecret(transaction, peppers, { workspaceId: workspace_id, endpointId: created.id })
        await addToAuditLog(transaction, workspace_id, auditEventOf('webhook.created', created, actor))
        return { ...created, secret }
      })
    },

    async getWebhook({ workspace_id, webhook_id }, { fail }) {
      return (await findEndpoint(database, workspace_id, webhook_id)) ?? fail('not_found', noWebhook)
    },

    async listWebhooks({ workspace_id, ...page }) {
      const { items, nextCursor } = await listEndpoints(database, workspace_id, page)
      return { webhooks: items, next_cursor: nextCursor }
    },

    async updateWebhook({ workspace_id, webhook_id, patch, actor }, { fail }) {
      if (patch.url !== undefined) await guard.checkStored('url', patch.url)
      return database.inWorkspace(workspace_id, async (transaction) => {
        const current = await lockEndpoint(transaction, workspace_id, webhook_id)
        if (current === undefined) return fail('not_found', noWebhook)
        if (patch.enabled === false) await abandonDeliveries(transaction, workspace_id, webhook_id)
        const changed = await changeEndpoint(transaction, workspace_id, current, patch)
        const event = changeEventOf(current, changed, actor)
        if (event !== undefined) await addToAuditLog(transaction, workspace_id, event)
        return changed
      })
    },

    async deleteWebhook({ workspace_id, webhook_id, actor }, { fail }) {
      return database.inWorkspace(workspace_id, async (transaction) => {
        const deleted = await deleteEndpoint(transaction, workspace_id, webhook_id)
        if (deleted === undefined) return fail('not_found', noWebhook)
        await abandonDeliveries(transaction, workspace_id, webhook_id)
        await addToAuditLog(transaction, workspace_id, auditEventOf('webhook.deleted', deleted, actor))
        return {}
      })
    },

    async rotateSecret({ workspace_id, webhook_id, actor }, { fail }) {
      const name = { workspaceId: workspace_id, endpointId: webhook_id }
      return database.inWorkspace(workspace_id, async (transaction) => {
        const webhook = await lockEndpoint(transaction, workspace_id, webhook_id)
        if (webhook === undefined) return fail('not_found', noWebhook)
        const expiresAt = new Date(now().getTime() + overlapMs)
        await expireSecrets(transaction, name, { now: now(), expiresAt })
        const secret = await addSecret(transaction, peppers, name)
        await addToAuditLog(transaction, workspace_id, auditEventOf('webhook.secret_rotated', webhook, actor))
        return { ...webhook, secret, previous_secrets_expire_at: expiresAt.toISOString() }
      })
    },

    async listDeliveries({ workspace_id, webhook_id, status, ...page }, { fail }) {
      const webhook = await findEndpoint(database, workspace_id, webhook_id)
      if (webhook === undefined) return fail('not_found', noWebhook)
      const filter = { workspaceId: workspace_id, endpointId: webhook_id, status }
      const { items, nextCursor } = await database.inWorkspace(workspace_id, (transaction) =>
        listDeliveries(transaction, filter, page),
      )
      return { deliveries: items, next_cursor: nextCursor }
    },

    async replayDelivery({ workspace_id, webhook_id, delivery_id }, { fail }) {
      const name = { workspaceId: workspace_id, endpointId: webhook_id }
      const delivery = await database.inWorkspace(workspace_id, async (transaction) => {
        const webhook = await lockEndpoint(transaction, workspace_id, webhook_id)
        if (webhook === undefined) return fail('not_found', noWebhook)
        if (!webhook.enabled) return fail('invalid_request', 'This webhook is disabled. Enable it first.')
        const isThere = await restartDelivery(transaction, { ...name, deliveryId: delivery_id }, now())
        if (!isThere) return fail('not_found', 'There is no such delivery.')
        return findDelivery(transaction, name, delivery_id)
      })
      onDue()
      return delivery!
    },
  }
}
