import { webhookEventSchema } from '@parlance/contracts'
import { auth } from '@parlance/service-auth'
import { openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import { createApiKeyRepository } from '../../src/api-key-repository.js'
import { createWorkspaceRepository } from '../../src/workspace-repository.js'

describeWithPrograms(['postgres'], 'webhooks', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server.stop())

  test('are sent each revocation of a key once, and no creation of a key', async () => {
    const database = await openPostgresDatabase({ url: server.url, ...auth.databases![0]! })
    const { id: workspaceId } = await createWorkspaceRepository(database).create({
      ...{ name: 'Acme', capabilities: [] },
      ...{ max_concurrent_sessions: 20, max_concurrent_streams: 50 },
    })
    const keys = createApiKeyRepository(database)
    const created = { workspaceId, label: 'Web site', prefix: 'awp_prd_abc', digests: [], personId: undefined }
    const key = (await keys.create(created))!
    await keys.create(created)
    await keys.revoke(workspaceId, key.id, undefined)
    await keys.revoke(workspaceId, key.id, undefined)
    const rows = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<{ destination: string; payload: unknown }>('select destination, payload from outbox'),
    )
    expect(rows.map(({ destination }) => destination)).toEqual(['webhooks'])
    expect(webhookEventSchema.parse(rows[0]!.payload)).toEqual({
      type: 'api_key.revoked',
      data: { key_id: key.id, label: 'Web site', prefix: 'awp_prd_abc' },
    })
    await database.close()
  })
})
