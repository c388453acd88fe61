import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, useReload } from '../api/api.js'
import { useList } from '../api/lists.js'
import type { components } from '../api/schema.js'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']
export type EventType = Webhook['events'][number]

const list = '/dashboard/api/v1/webhooks'
const one = '/dashboard/api/v1/webhooks/{webhookId}'
const deliveries = '/dashboard/api/v1/webhooks/{webhookId}/deliveries'

/** Oldest first. A workspace has at most 20. */
export const useWebhooks = () =>
  api.useQuery('get', list, { params: { query: { limit: 100, order: 'asc' } } }, { select: ({ webhooks }) => webhooks })

export const useWebhook = (webhookId: string) => api.useQuery('get', one, { params: { path: { webhookId } } })

/** Reads everything about webhooks again. */
const useReloadWebhooks = () => useReload(list, one, deliveries)

export const useCreateWebhook = () => api.useMutation('post', list, { onSuccess: useReloadWebhooks() })
export const useChangeWebhook = () => api.useMutation('patch', one, { onSuccess: useReloadWebhooks() })
export const useDeleteWebhook = () => api.useMutation('delete', one, { onSuccess: useReloadWebhooks() })
export const useRotateSecret = () => api.useMutation('post', `${one}/rotate-secret`, { onSuccess: useReloadWebhooks() })
export const useReplay = () =>
  api.useMutation('post', `${deliveries}/{deliveryId}/replay`, { onSuccess: useReloadWebhooks() })

export type DeliveryStatus = Delivery['status']

/** How often a log is reloaded with waiting deliveries, and without. */
const pendingMs = 3_000
const idleMs = 15_000

/** Newest first. Its changes reload the webhook, which may have begun to fail or been disabled since. */
export const useDeliveries = (webhookId: string, status: DeliveryStatus | undefined) => {
  const client = useQueryClient()
  const log = useList(
    deliveries,
    { path: { webhookId }, query: { ...(status && { status }) } },
    (page) => page.deliveries,
    {
      refreshMs: (rows) => (rows.some((row) => row.status === 'pending') ? pendingMs : idleMs),
    },
  )
  const state = log.data?.map(({ id, status, attempts }) => `${id} ${status} ${attempts[0]?.attempted_at}`).join()
  useEffect(() => {
    if (state === undefined) return
    void client.invalidateQueries(api.queryOptions('get', one, { params: { path: { webhookId } } }))
  }, [client, webhookId, state])
  return log
}
