import { webhookDeliverySchema, webhookSchema, webhooksContract } from '@parlance/contracts'
import { fakeHandlers, sampleOf } from '@parlance/testing'

export const webhookId = '3a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
export const deliveryId = '4a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
export const webhookSecret = 'whsec_c2hvd24gb25jZQ=='

export const webhook = sampleOf(webhookSchema, {
  id: webhookId,
  url: 'https://example.com/hooks',
  events: ['agent.published'],
  enabled: true,
})

export const delivery = sampleOf(webhookDeliverySchema, { id: deliveryId, webhook_id: webhookId })

/** Has one webhook. Requests are in `requests`, by method. */
export const createFakeWebhooks = () => {
  const requests: Partial<Record<keyof typeof webhooksContract.methods, unknown>> = {}
  const note =
    <Reply>(method: keyof typeof requests, reply: Reply) =>
    (request: { webhook_id?: string }, { fail }: { fail(code: 'not_found', detail: string): never }): Reply => {
      requests[method] = request
      const isKnown = request.webhook_id === undefined || request.webhook_id === webhookId
      return isKnown ? reply : fail('not_found', 'There is no such webhook.')
    }
  const handlers = fakeHandlers(webhooksContract, {
    createWebhook(request) {
      requests.createWebhook = request
      return { ...webhook, secret: webhookSecret }
    },
    getWebhook: note('getWebhook', webhook),
    listWebhooks(request) {
      requests.listWebhooks = request
      return { webhooks: [webhook], next_cursor: 'more' }
    },
    updateWebhook: note('updateWebhook', webhook),
    deleteWebhook: note('deleteWebhook', {}),
    rotateSecret: note('rotateSecret', {
      ...webhook,
      secret: webhookSecret,
      previous_secrets_expire_at: '2026-02-01T09:30:00.000Z',
    }),
    listDeliveries: note('listDeliveries', { deliveries: [delivery], next_cursor: null }),
    replayDelivery: note('replayDelivery', delivery),
  })
  return { requests, handlers }
}
