import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, startWebhookReceiver, type TestServer, type WebhookReceiver } from '@parlance/testing'
import { Webhook } from 'standardwebhooks'
import { createScene, published, type Scene, startDatabase } from './scene.js'

const scheduleMs = [0, 5_000, 305_000, 2_105_000, 9_305_000, 27_305_000, 63_305_000]

describeWithPrograms(['postgres'], 'a delivery', () => {
  let server: TestServer
  let database: Database
  let receiver: WebhookReceiver
  let scene: Scene
  let workspaceId: string
  /** The addresses of each name, for the next look-ups. */
  let addresses: string[][]

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })
  beforeEach(async () => {
    addresses = []
    workspaceId = randomUUID()
    receiver = await startWebhookReceiver()
    // Longer than a receiver on a busy machine takes.
    scene = await createScene(database, { timeoutMs: 2_000, resolve: async () => addresses.shift() ?? [] })
  })
  afterEach(async () => {
    await scene.stop()
    await receiver.stop()
  })

  const logOf = async (webhook_id: string) => {
    const { deliveries } = await scene.service.listDeliveries({ workspace_id: workspaceId, webhook_id })
    return deliveries
  }

  /** The times of all attempts, from the first on. */
  const runAll = async (): Promise<number[]> => {
    const times: number[] = []
    for (let at = await scene.runNext(); at !== undefined; at = await scene.runNext()) times.push(at)
    return times
  }

  test('sends the event once, with a signature that the secret verifies', async () => {
    const { id, secret } = await scene.create(workspaceId, receiver.url)
    const eventId = await scene.happen(workspaceId)
    expect(await runAll()).toEqual([0])
    expect(receiver.received).toHaveLength(1)
    const { headers, body } = receiver.received[0]!
    expect(headers).toMatchObject({ 'webhook-id': eventId, 'content-type': 'application/json' })
    // The library, which refuses old timestamps, does not use the clock of the test.
    const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(timestamp).toEqual(scene.now())
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(eventId, timestamp, body))
    expect(JSON.parse(body)).toEqual({ timestamp: scene.now().toISOString(), ...published })
    expect(await logOf(id)).toMatchObject([
      { event_id: eventId, type: 'agent.published', status: 'succeeded', next_attempt_at: null },
    ])
    expect((await logOf(id))[0]!.attempts).toMatchObject([{ status: 204, error: null }])
  })

  test('that fails is attempted again on schedule with the same id and body, and given up after seven attempts', async () => {
    receiver.answer = (response) => void response.writeHead(500).end('No\u0000 luck')
    const { id } = await scene.create(workspaceId, receiver.url)
    const eventId = await scene.happen(workspaceId)
    expect(await runAll()).toEqual(scheduleMs)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]))
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    const [delivery] = await logOf(id)
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect(delivery!.attempts).toHaveLength(7)
    expect(delivery!.attempts[0]).toMatchObject({
      ...{ status: 500, response: 'No\uFFFD luck', error: 'The response has the status 500.' },
    })
  })

  test('ends with the first success', async () => {
    receiver.answer = (response, count) => void response.writeHead(count < 3 ? 503 : 200).end()
    const { id } = await scene.create(workspaceId, receiver.url)
    await scene.happen(workspaceId)
    expect(await runAll()).toEqual(scheduleMs.slice(0, 3))
    expect(await logOf(id)).toMatchObject([{ status: 'succeeded' }])
    expect((await scene.service.getWebhook({ workspace_id: workspaceId, webhook_id: id })).failing_since).toBeNull()
  })

  test('is not made to a webhook that was created after the event', async () => {
    const { id, created_at } = await scene.create(workspaceId, receiver.url)
    await scene.happen(workspaceId, { at: new Date(Date.parse(created_at) - 1) })
    const eventId = await scene.happen(workspaceId, { at: new Date(created_at) })
    await runAll()
    expect(await logOf(id)).toMatchObject([{ event_id: eventId }])
  })

  /** Receivers with a fault, each with the text of the log about it. */
  const faults: [string, () => void, RegExp][] = [
    ['hangs', () => undefined, /did not answer in time/],
    [
      'answers too slowly',
      () => {
        receiver.answer = (response) => void response.writeHead(200).write('a')
      },
      /did not answer in time/,
    ],
    [
      'redirects to a private address',
      () => {
        receiver.answer = (response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end()
      },
      /redirect/,
    ],
    [
      'sends an endless response',
      () => {
        receiver.answer = (response) => void response.writeHead(200).write('a'.repeat(100_000))
      },
      /longer than 65536 bytes/,
    ],
    [
      'breaks the connection',
      () => {
        receiver.answer = (response) => void response.destroy()
      },
      /connection was lost/,
    ],
  ]
  test.each(faults)('to a receiver that %s is a failure that is tried again', async (_, prepare, error) => {
    receiver.answer = () => {}
    prepare()
    const { id } = await scene.create(workspaceId, receiver.url)
    await scene.happen(workspaceId)
    expect(await scene.runNext()).toBe(0)
    const [delivery] = await logOf(id)
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error: expect.stringMatching(error) }] })
    expect(Date.parse(delivery!.next_attempt_at!) - scene.now().getTime()).toBe(5_000)
    receiver.answer = (response) => void response.writeHead(200).end()
    expect(await runAll()).toEqual([5_000])
    expect(receiver.received).toHaveLength(2)
  })

  test('to a name that changes to a private address is refused, and is sent once the name is public again', async () => {
    addresses = [['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254', '::1'], ['127.0.0.1']]
    const { id } = await scene.create(workspaceId, `http://hooks.example:${receiver.port}/`)
    await scene.happen(workspaceId)
    await runAll()
    expect(receiver.received).toHaveLength(1)
    const eventId = await scene.happen(workspaceId)
    await runAll()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])[1]).toBe(eventId)
    expect(receiver.received).toHaveLength(2)
    const { attempts } = (await logOf(id)).find(({ event_id }) => event_id === eventId)!
    expect(attempts.map(({ error }) => error)).toEqual([
      null,
      expect.stringContaining('not on the public Internet'),
      expect.stringContaining('not on the public Internet'),
    ])
  })

  test('is made once for an event that is received twice, and for each webhook with its type', async () => {
    await scene.create(workspaceId, receiver.url)
    await scene.create(workspaceId, `${receiver.url}/second`, ['credit.low', 'agent.published'])
    await scene.create(workspaceId, `${receiver.url}/third`, ['credit.low'])
    const event = { id: randomUUID(), workspace_id: workspaceId, at: scene.now().toISOString(), event: published }
    await scene.service.recordEvents({ events: [event, event] })
    await scene.service.recordEvents({ events: [event] })
    expect(await runAll()).toEqual([0, 0])
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id])
  })

  test('that is attempted twice, as after a killed process, keeps its id and continues as after one attempt', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    await scene.create(workspaceId, receiver.url)
    await scene.happen(workspaceId)
    const [delivery] = await scene.pending()
    await Promise.all([scene.deliver(delivery!), scene.deliver(delivery!)])
    expect((await scene.pending()).map(({ run }) => run)).toEqual([delivery!.run + 1])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const count = receiver.received.length
    await scene.deliver(delivery!)
    expect(receiver.received).toHaveLength(count)
  })

  test('is replayed with the same id, and restarts its schedule', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const { id: webhook_id } = await scene.create(workspaceId, receiver.url)
    const eventId = await scene.happen(workspaceId)
    await runAll()
    const delivery_id = (await logOf(webhook_id))[0]!.id
    const address = { workspace_id: workspaceId, webhook_id, delivery_id }
    expect(await scene.service.replayDelivery(address)).toMatchObject({ status: 'pending', event_id: eventId })
    const begunMs = scheduleMs.at(-1)!
    expect(await runAll()).toEqual(scheduleMs.map((ms) => begunMs + ms))
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]))
    await expect(scene.service.replayDelivery({ ...address, delivery_id: randomUUID() })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
