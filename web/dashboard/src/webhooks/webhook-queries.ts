import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { inPages, itemsPerPage, whileOnFirstPage } from '../api/all-pages.js'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']
export type EventType = Webhook['events'][number]

const list = '/dashboard/api/v1/webhooks'
const one = '/dashboard/api/v1/webhooks/{webhookId}'

/** Oldest first. A workspace has at most 20. */
export const useWebhooks = () => api.useQuery('get', list, { params: { query: { limit: 100, order: 'asc' } } })

export const useWebhook = (webhookId: string) => api.useQuery('get', one, { params: { path: { webhookId } } })

/** Reads everything about webhooks again. */
const useReload = () => {
  const client = useQueryClient()
  const isOfWebhooks = (name: unknown) => typeof name === 'string' && name.startsWith(list)
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.some(isOfWebhooks) })
}

export const useCreateWebhook = () => api.useMutation('post', list, { onSuccess: useReload() })
export const useChangeWebhook = () => api.useMutation('patch', one, { onSuccess: useReload() })
export const useDeleteWebhook = () => api.useMutation('delete', one, { onSuccess: useReload() })
export const useRotateSecret = () => api.useMutation('post', `${one}/rotate-secret`, { onSuccess: useReload() })
export const useReplay = () =>
  api.useMutation('post', `${one}/deliveries/{deliveryId}/replay`, { onSuccess: useReload() })

export type DeliveryStatus = Delivery['status']

interface DeliveryPage {
  readonly deliveries: Delivery[]
  readonly next_cursor: string | null
}

/** How often a log is reloaded with waiting deliveries, and without. */
const pendingMs = 3_000
const idleMs = 15_000

const hasPending = (data: InfiniteData<DeliveryPage> | undefined): boolean =>
  data?.pages.some(({ deliveries }) => deliveries.some(({ status }) => status === 'pending')) ?? false

/** Reloads the webhook, which may have begun to fail or been disabled since. */
const stateOf = (data: InfiniteData<DeliveryPage> | undefined): string | undefined =>
  data?.pages[0]?.deliveries.map(({ id, status, attempts }) => `${id} ${status} ${attempts[0]?.attempted_at}`).join()

/** Newest first. */
export const useDeliveries = (webhookId: string, status: DeliveryStatus | undefined) => {
  const client = useQueryClient()
  const log = api.useInfiniteQuery(
    'get',
    `${one}/deliveries`,
    { params: { path: { webhookId }, query: { limit: itemsPerPage, ...(status && { status }) } } },
    {
      ...inPages,
      refetchInterval: whileOnFirstPage<InfiniteData<DeliveryPage>>((data) => (hasPending(data) ? pendingMs : idleMs)),
    },
  )
  const state = stateOf(log.data)
  useEffect(() => {
    if (state === undefined) return
    void client.invalidateQueries(api.queryOptions('get', one, { params: { path: { webhookId } } }))
  }, [client, webhookId, state])
  return log
}
