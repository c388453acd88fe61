import { randomUUID } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import type { Database } from '@parlance/store'
import { describeWithPrograms, startWebhookReceiver, type TestServer, type WebhookReceiver } from '@parlance/testing'
import { Webhook } from 'standardwebhooks'
import { resealSecrets } from '../src/endpoints/secret-repository.js'
import { createScene, peppers, type Scene, startDatabase } from './scene.js'

const hourMs = 60 * 60 * 1000

describeWithPrograms(['postgres'], 'a webhook', () => {
  let server: TestServer
  let database: Database
  let receiver: WebhookReceiver
  let scene: Scene
  let workspaceId: string

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })
  beforeEach(async () => {
    workspaceId = randomUUID()
    receiver = await startWebhookReceiver()
    scene = await createScene(database)
  })
  afterEach(async () => {
    await scene.stop()
    await receiver.stop()
  })

  const at = (webhook_id: string) => ({ workspace_id: workspaceId, webhook_id })

  /** The secrets among these that signed the last request. */
  const signersOf = (secrets: string[]): string[] => {
    const { headers, body } = receiver.received.at(-1)!
    const signatures = String(headers['webhook-signature']).split(' ')
    const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000)
    const id = String(headers['webhook-id'])
    return secrets.filter((secret) => signatures.includes(new Webhook(secret).sign(id, timestamp, body)))
  }

  test('shows its secret once, and stores it sealed', async () => {
    const created = await scene.create(workspaceId, receiver.url)
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret, ...shown } = created
    expect(await scene.service.getWebhook(at(created.id))).toEqual(shown)
    expect((await scene.service.listWebhooks({ workspace_id: workspaceId })).webhooks).toEqual([shown])
    const rows = await database.acrossWorkspaces((transaction) => transaction.query('select * from secrets'))
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length, -1))
  })

  test('signs with the earlier secret as well for 24 hours after a rotation, and then with the new one alone', async () => {
    const { id, secret: first } = await scene.create(workspaceId, receiver.url)
    const rotated = await scene.service.rotateSecret(at(id))
    expect(Date.parse(rotated.previous_secrets_expire_at) - scene.now().getTime()).toBe(24 * hourMs)
    const secrets = [first, rotated.secret]
    scene.advance(24 * hourMs - 1)
    await scene.happen(workspaceId)
    await scene.runDue()
    expect(signersOf(secrets)).toEqual(secrets)
    scene.advance(1)
    await scene.happen(workspaceId)
    await scene.runDue()
    expect(signersOf(secrets)).toEqual([rotated.secret])
  })

  test('keeps its secret when a pepper is put in front and the old one is removed', async () => {
    const { id, secret } = await scene.create(workspaceId, receiver.url)
    const both = parsePeppers('2:another-pepper-for-tests,1:a-pepper-for-tests-only')
    expect((await resealSecrets(database, both)).resealed).toBeGreaterThan(0)
    const later = await createScene(database, { peppers: parsePeppers('2:another-pepper-for-tests') })
    await later.happen(workspaceId)
    await later.runDue()
    expect(signersOf([secret])).toEqual([secret])
    await later.stop()
    // This process has the old pepper alone.
    await scene.happen(workspaceId)
    await scene.runDue()
    const { deliveries } = await scene.service.listDeliveries(at(id))
    expect(deliveries[0]!.attempts[0]!.error).toMatch(/secret of this webhook cannot be read/)
    expect(await resealSecrets(database, peppers)).toMatchObject({ resealed: 0 })
    await scene.service.deleteWebhook(at(id))
  })

  test('has each change in the audit log with its actor, and no entry when nothing changes', async () => {
    const [person, key] = [
      { kind: 'person', id: randomUUID() } as const,
      { kind: 'api_key', id: randomUUID() } as const,
    ]
    const { service } = scene
    const url = 'http://127.0.0.1:8080/hooks?token=secret'
    const webhook = { url, events: ['agent.published' as const] }
    const { id } = await service.createWebhook({ workspace_id: workspaceId, webhook, actor: person })
    await service.updateWebhook({ ...at(id), patch: { url, description: '' }, actor: person })
    await service.updateWebhook({ ...at(id), patch: { url: 'http://127.0.0.1:9090', enabled: false }, actor: key })
    await service.updateWebhook({ ...at(id), patch: { events: ['credit.low'] }, actor: person })
    await service.rotateSecret({ ...at(id), actor: person })
    await service.deleteWebhook({ ...at(id), actor: key })
    await expect(service.deleteWebhook({ ...at(id), actor: key })).rejects.toMatchObject({ code: 'not_found' })
    const acts = await database.acrossWorkspaces((transaction) =>
      transaction.query<{ payload: unknown }>(
        `select payload from outbox where workspace_id = $1 and destination = 'audit' order by created_at, id`,
        [workspaceId],
      ),
    )
    const [before, after] = [
      { webhook_id: id, host: '127.0.0.1:8080' },
      { webhook_id: id, host: '127.0.0.1:9090' },
    ]
    const moved = { ...after, fields: 'url, enabled', host_before: before.host, enabled: 'no' }
    const asked = { ...after, fields: 'events', events: 'credit.low', events_before: 'agent.published' }
    expect(acts.map(({ payload }) => payload)).toEqual([
      { action: 'webhook.created', actor: person, details: before },
      { action: 'webhook.changed', actor: key, details: moved },
      { action: 'webhook.changed', actor: person, details: asked },
      { action: 'webhook.secret_rotated', actor: person, details: after },
      { action: 'webhook.deleted', actor: key, details: after },
    ])
  })

  test('is disabled after five days of failures with an entry in the audit log, and can be enabled again', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id } = await scene.create(workspaceId, receiver.url)
    for (let hour = 0; hour < 5 * 24; hour += 8) {
      await scene.happen(workspaceId)
      await scene.runDue()
      scene.advance(8 * hourMs)
    }
    expect(await scene.service.getWebhook(at(id))).toMatchObject({ enabled: true })
    await scene.runDue()
    const disabled = await scene.service.getWebhook(at(id))
    expect(disabled).toMatchObject({ enabled: false, disabled_reason: 'failing' })
    const notices = await database.acrossWorkspaces((transaction) =>
      transaction.query(
        `select destination, payload from outbox where workspace_id = $1 and payload->>'action' <> 'webhook.created'`,
        [workspaceId],
      ),
    )
    expect(notices).toEqual([
      {
        destination: 'audit',
        payload: {
          action: 'webhook.disabled',
          actor: { kind: 'operator', id: null },
          details: { webhook_id: id, host: `127.0.0.1:${receiver.port}`, failing_since: disabled.failing_since },
        },
      },
    ])
    const before = receiver.received.length
    scene.advance(24 * hourMs)
    await scene.happen(workspaceId)
    await scene.runDue()
    expect(receiver.received).toHaveLength(before)
    const { deliveries } = await scene.service.listDeliveries(at(id))
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['failed']))
    const address = { ...at(id), delivery_id: deliveries[0]!.id }
    await expect(scene.service.replayDelivery(address)).rejects.toMatchObject({ code: 'invalid_request' })

    const enabled = await scene.service.updateWebhook({ ...at(id), patch: { enabled: true } })
    expect(enabled).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null, failing_since: null })
    await scene.service.replayDelivery(address)
    await scene.runDue()
    expect(receiver.received).toHaveLength(before + 1)
    expect(await scene.service.getWebhook(at(id))).toMatchObject({ enabled: true })
  })

  test('that fails occasionally is never disabled', async () => {
    receiver.answer = (response, count) => void response.writeHead(count % 2 === 0 ? 200 : 500).end()
    const { id } = await scene.create(workspaceId, receiver.url)
    for (let day = 0; day < 12; day += 3) {
      await scene.happen(workspaceId)
      while ((await scene.runNext()) !== undefined);
      scene.advance(3 * 24 * hourMs)
    }
    expect(await scene.service.getWebhook(at(id))).toMatchObject({ enabled: true, failing_since: null })
  })

  test('is changed and deleted; due deliveries of a deleted one are not sent', async () => {
    const { id, secret: _, ...created } = await scene.create(workspaceId, receiver.url)
    const patch = { description: 'Ours', events: ['credit.low' as const] }
    const updated = await scene.service.updateWebhook({ ...at(id), patch })
    expect(updated).toEqual({ ...created, id, ...patch, updated_at: expect.any(String) })
    await scene.happen(workspaceId)
    expect(await scene.pending()).toEqual([])
    await scene.service.updateWebhook({ ...at(id), patch: { events: ['agent.published'] } })
    await scene.happen(workspaceId)
    const [claimed] = await scene.pending()
    await scene.service.deleteWebhook(at(id))
    await scene.deliver(claimed!)
    expect(receiver.received).toEqual([])
    await expect(scene.service.getWebhook(at(id))).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['http://10.0.0.1/', /public Internet/],
    ['http://[::1]:8080/', /public Internet/],
    ['http://2130706434/', /public Internet/],
    ['https://user:word@example.com/', /user or a password/],
    ['ftp://example.com/', /url/],
    ['example.com', /url/],
  ])('with the address %s is refused', async (url, detail) => {
    await expect(scene.create(workspaceId, url)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringMatching(detail),
    })
  })

  test('is one of at most twenty in a workspace', async () => {
    const create = () => scene.create(workspaceId, receiver.url)
    for (let count = 0; count < 18; count += 1) await create()
    const results = await Promise.allSettled([create(), create(), create(), create()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const { webhooks, next_cursor } = await scene.service.listWebhooks({ workspace_id: workspaceId, limit: 15 })
    const rest = await scene.service.listWebhooks({ workspace_id: workspaceId, limit: 15, cursor: next_cursor! })
    expect(new Set([...webhooks, ...rest.webhooks].map(({ id }) => id)).size).toBe(20)
  })
})
