import { randomUUID } from 'node:crypto'
import { expectError } from './expect-error.js'
import { keyId, keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { delivery, deliveryId, webhook, webhookId, webhookSecret } from './fake-webhooks.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const path = `/v1/webhooks/${webhookId}`
const actor = { kind: 'api_key', id: keyId }
const send = (method: string, at: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${at}`, {
    method,
    headers: { authorization: `Bearer ${keys.good}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

test('a webhook is created for the workspace of the key, with its secret, and requires no capability', async () => {
  const body = { url: 'https://example.com/hooks', events: ['agent.published'] }
  const headers = { authorization: `Bearer ${keys.withoutAgents}`, 'idempotency-key': randomUUID() }
  const response = await send('POST', '/v1/webhooks', body, headers)
  expect([response.status, response.headers.get('location')]).toEqual([201, path])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ ...webhook, secret: webhookSecret })
  const asked = {
    workspace_id: workspaceId,
    webhook: { ...body, description: '' },
    actor: { kind: 'api_key', id: expect.any(String) },
  }
  expect(gateway.webhookRequests.createWebhook).toEqual(asked)
  const replayed = await send('POST', '/v1/webhooks', body, headers)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect(await replayed.json()).toMatchObject({ secret: webhookSecret })
})

test.each([
  [{ events: ['agent.published'] }, 'url'],
  [{ url: 'ftp://example.com', events: ['agent.published'] }, 'url'],
  [{ url: 'https://example.com', events: [] }, 'events'],
  [{ url: 'https://example.com', events: ['agent.unknown'] }, 'events'],
  [{ url: 'https://example.com', events: ['credit.low', 'credit.low'] }, 'events'],
  [{ url: 'https://example.com', events: ['credit.low'], secret: 'mine' }, 'secret'],
])('the webhook %j is refused with the name of the field %s', async (body, field) => {
  await expectError(await send('POST', '/v1/webhooks', body), 'invalid_request', field)
})

test('webhooks are listed, read, changed and deleted', async () => {
  const listed = await send('GET', '/v1/webhooks?limit=2&order=asc', undefined, {
    authorization: `Bearer ${keys.ofOther}`,
  })
  expect(await listed.json()).toEqual({ webhooks: [webhook], next_cursor: 'more' })
  const asked = { workspace_id: otherWorkspaceId, limit: 2, order: 'asc' }
  expect(gateway.webhookRequests.listWebhooks).toEqual(asked)
  expect(await (await send('GET', path.toUpperCase().replace('/V1/WEBHOOKS', '/v1/webhooks'))).json()).toEqual(webhook)
  expect((await send('PATCH', path, { enabled: false })).status).toBe(200)
  const address = { workspace_id: workspaceId, webhook_id: webhookId }
  expect(gateway.webhookRequests.updateWebhook).toEqual({ ...address, patch: { enabled: false }, actor })
  const deleted = await send('DELETE', path)
  expect([deleted.status, await deleted.text()]).toEqual([204, ''])
  expect(gateway.webhookRequests.deleteWebhook).toEqual({ ...address, actor })
})

test('a secret is rotated, deliveries are listed by status, and one is replayed', async () => {
  const rotated = await send('POST', `${path}/rotate-secret`)
  expect([rotated.status, await rotated.json()]).toMatchObject([200, { secret: webhookSecret }])
  expect(gateway.webhookRequests.rotateSecret).toMatchObject({ webhook_id: webhookId, actor })
  const log = await send('GET', `${path}/deliveries?status=failed`)
  expect(await log.json()).toEqual({ deliveries: [delivery], next_cursor: null })
  expect(gateway.webhookRequests.listDeliveries).toMatchObject({ webhook_id: webhookId, status: 'failed' })
  const replayed = await send('POST', `${path}/deliveries/${deliveryId}/replay`)
  expect([replayed.status, await replayed.json()]).toEqual([202, delivery])
  expect(gateway.webhookRequests.replayDelivery).toMatchObject({ delivery_id: deliveryId })
})

test.each(['not-an-id', randomUUID()])('the webhook %s does not exist', async (id) => {
  const at = `/v1/webhooks/${id}`
  for (const [method, place] of [
    ['GET', at],
    ['DELETE', at],
    ['POST', `${at}/rotate-secret`],
    ['GET', `${at}/deliveries`],
    ['POST', `${at}/deliveries/${deliveryId}/replay`],
  ] as const) {
    await expectError(await send(method, place), 'not_found')
  }
  await expectError(await send('PATCH', at, {}), 'not_found')
})
