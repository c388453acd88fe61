import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import {
  describeWithPrograms,
  startWebhookReceiver,
  type TestServer,
  type WebhookReceiver,
  weakenDatabases,
} from '@parlance/testing'
import { createScene, type Scene, startDatabase } from './scene.js'

const weakened = weakenDatabases()

describeWithPrograms(['postgres'], 'two workspaces', () => {
  let server: TestServer
  let database: Database
  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  const suite = (wrap: (database: Database) => Database): void => {
    let receiver: WebhookReceiver
    let scene: Scene
    const [here, there] = [randomUUID(), randomUUID()]
    let theirs: string
    let deliveryId: string

    beforeAll(async () => {
      receiver = await startWebhookReceiver()
      scene = await createScene(database, { wrap })
      theirs = (await scene.create(there, receiver.url)).id
      await scene.happen(there)
      await scene.runDue()
      const { deliveries } = await scene.service.listDeliveries({ workspace_id: there, webhook_id: theirs })
      deliveryId = deliveries[0]!.id
    })
    afterAll(async () => {
      await scene.stop()
      await receiver.stop()
    })

    test('a webhook of another workspace does not exist for any method, and is not changed', async () => {
      const { service } = scene
      const before = await service.getWebhook({ workspace_id: there, webhook_id: theirs })
      for (const webhook_id of [theirs, randomUUID()]) {
        const address = { workspace_id: here, webhook_id }
        for (const attempt of [
          () => service.getWebhook(address),
          () => service.updateWebhook({ ...address, patch: { enabled: false } }),
          () => service.deleteWebhook(address),
          () => service.rotateSecret(address),
          () => service.listDeliveries(address),
          () => service.replayDelivery({ ...address, delivery_id: deliveryId }),
        ]) {
          await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
        }
      }
      expect(await service.getWebhook({ workspace_id: there, webhook_id: theirs })).toEqual(before)
      const mine = await scene.create(here, receiver.url)
      const replay = { workspace_id: here, webhook_id: mine.id, delivery_id: deliveryId }
      await expect(service.replayDelivery(replay)).rejects.toMatchObject({ code: 'not_found' })
      await service.deleteWebhook({ workspace_id: here, webhook_id: mine.id })
    })

    test('no list shows entries of another workspace, and no event of one is sent to the other', async () => {
      expect((await scene.service.listWebhooks({ workspace_id: here })).webhooks).toEqual([])
      const before = receiver.received.length
      await scene.happen(here)
      expect(await scene.runDue()).toBe(0)
      expect(receiver.received).toHaveLength(before)
    })
  }

  describe('are kept apart', () => suite((one) => one))

  describe('are kept apart by row-level security alone', () => {
    suite(weakened.byRowsAlone)
    afterAll(() => expect(weakened.rewritten()).toBeGreaterThan(10))
  })

  describe('are kept apart by the filters of the queries alone', () => suite(weakened.byFiltersAlone))

  test('are not kept apart without both protections, which shows that the suites above test them', async () => {
    const scene = await createScene(database, { wrap: weakened.byNeither })
    const { id } = await scene.create(randomUUID(), 'https://example.com/')
    expect(await scene.service.getWebhook({ workspace_id: randomUUID(), webhook_id: id })).toMatchObject({ id })
    await scene.stop()
  })

  test('the role of the service cannot change a table', async () => {
    await expect(database.query('alter table endpoints disable row level security')).rejects.toThrow(/owner/)
  })
})
