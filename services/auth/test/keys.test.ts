import { randomUUID } from 'node:crypto'
import { createKeyUseRecorder } from '@parlance/clients/api-key'
import { maxActiveKeys, type Workspace } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { createClient as createRedisClient } from 'redis'
import { type Gateway, type Installation, startInstallation } from './installation.js'

const unknownId = '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10'

describeWithPrograms(['nats', 'redis', 'postgres'], 'workspaces and keys', () => {
  let installation: Installation
  let gateway: Gateway
  let workspace: Workspace

  beforeAll(async () => {
    installation = await startInstallation()
    await installation.startAuth()
    gateway = await installation.openGateway()
  })
  afterAll(() => installation.stop())
  beforeEach(async () => {
    workspace = await gateway.auth.createWorkspace({ name: 'Ada’s', capabilities: ['tts'] })
  })
  const createKey = (label = 'a key') => gateway.auth.createKey({ workspace_id: workspace.id, label })
  const listed = async () => (await gateway.auth.listKeys({ workspace_id: workspace.id })).keys

  test('a workspace has the limits that the contract names, until the operator sets others', async () => {
    const { auth } = gateway
    const { id: workspace_id, ...made } = await auth.createWorkspace({ name: 'w', capabilities: [] })
    expect(made).toMatchObject({ max_concurrent_sessions: 20, max_concurrent_streams: 50 })
    const changed = await auth.updateWorkspace({ workspace_id, max_concurrent_streams: 0 })
    expect(changed).toMatchObject({ max_concurrent_sessions: 20, max_concurrent_streams: 0 })
    const key = await auth.createKey({ workspace_id, label: 'any' })
    expect(await auth.getKeyWorkspace({ workspace_id, key_id: key.id })).toEqual(changed)
    const unlimited = { max_concurrent_sessions: 0, max_concurrent_streams: 7 }
    expect(await auth.createWorkspace({ name: 'w', capabilities: [], ...unlimited })).toMatchObject(unlimited)
  })

  test('a key mints tokens of its workspace until it is revoked, and ended keys are found with the reason', async () => {
    const { auth } = gateway
    const [one, two] = [
      await auth.createWorkspace({ name: 'one', capabilities: [] }),
      await auth.createWorkspace({ name: 'two', capabilities: [] }),
    ]
    const newKey = async ({ id }: { id: string }) => (await auth.createKey({ workspace_id: id, label: 'any' })).id
    const [good, revoked, suspended, unknown] = [await newKey(one), await newKey(one), await newKey(two), randomUUID()]
    await auth.revokeKey({ workspace_id: one.id, key_id: revoked })
    await auth.updateWorkspace({ workspace_id: two.id, suspended: true })
    const { ended } = await auth.findEndedKeys({ key_ids: [good, revoked, suspended, unknown] })
    const byId = (a: { key_id: string }, b: { key_id: string }) => a.key_id.localeCompare(b.key_id)
    expect(ended.toSorted(byId)).toEqual(
      [
        { key_id: revoked, code: 'unauthorized' },
        { key_id: suspended, code: 'organization_suspended' },
        { key_id: unknown, code: 'unauthorized' },
      ].toSorted(byId),
    )
    expect(await auth.getKeyWorkspace({ workspace_id: one.id, key_id: good })).toMatchObject({ id: one.id })
    for (const [workspace_id, key_id] of [
      [one.id, revoked],
      [two.id, good],
      [one.id, unknown],
    ] as const) {
      await expect(auth.getKeyWorkspace({ workspace_id, key_id })).rejects.toMatchObject({ code: 'unauthorized' })
    }
  })

  test('the key of an Agent is valid with its workspace, is added once, and is no key of the lists', async () => {
    const { auth } = gateway
    const address = { workspace_id: workspace.id, agent_id: randomUUID() }
    expect(await Promise.all([auth.addAgentKey(address), auth.addAgentKey(address)])).toEqual([workspace, workspace])
    const key = { workspace_id: workspace.id, key_id: address.agent_id }
    expect(await auth.getKeyWorkspace(key)).toEqual(workspace)
    expect(await auth.findEndedKeys({ key_ids: [key.key_id] })).toEqual({ ended: [] })
    expect(await listed()).toEqual([])
    await expect(auth.revokeKey(key)).rejects.toMatchObject({ code: 'not_found' })
    const elsewhere = { ...address, workspace_id: unknownId }
    await expect(auth.addAgentKey(elsewhere)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a workspace is read as it was created and changed', async () => {
    expect(workspace).toMatchObject({ name: 'Ada’s', capabilities: ['tts'], suspended: false })
    expect(await gateway.auth.getWorkspace({ workspace_id: workspace.id })).toEqual(workspace)
    const changed = await gateway.auth.updateWorkspace({
      workspace_id: workspace.id,
      capabilities: ['agents', 'agents'],
    })
    expect(changed).toEqual({ ...workspace, capabilities: ['agents'] })
    await gateway.auth.updateWorkspace({ workspace_id: workspace.id, suspended: true })
    expect(await gateway.auth.getWorkspace({ workspace_id: workspace.id })).toEqual({ ...changed, suspended: true })
  })

  test('missing keys and workspaces are not_found', async () => {
    const { auth } = gateway
    const { id } = await createKey()
    const attempts = [
      auth.getWorkspace({ workspace_id: unknownId }),
      auth.updateWorkspace({ workspace_id: unknownId, suspended: true }),
      auth.createKey({ workspace_id: unknownId, label: 'a' }),
      auth.revokeKey({ workspace_id: workspace.id, key_id: unknownId }),
      auth.revokeKey({ workspace_id: unknownId, key_id: id }),
    ]
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
    }
    expect((await listed()).map(({ status }) => status)).toEqual(['active'])
    expect((await auth.listKeys({ workspace_id: unknownId })).keys).toEqual([])
  })

  /** Rows as `createKey` creates them, newer than the existing ones. */
  const addKeys = async (count: number, { revoked = false } = {}): Promise<void> => {
    const database = await installation.openDatabase()
    await database.query(
      `insert into api_keys (workspace_id, label, prefix, revoked_at)
       select $1, 'key ' || n, 'awp_prd_test', case when $3 then now() end from generate_series(1, $2) as n`,
      [workspace.id, count, revoked],
    )
    await database.close()
  }

  test('ten thousand keys are listed page by page, each once, and can be revoked', async () => {
    await addKeys(10_000)
    const ids: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await gateway.auth.listKeys({ workspace_id: workspace.id, ...(cursor && { cursor }) })
      expect(page.keys.length).toBeLessThanOrEqual(100)
      ids.push(...page.keys.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect([ids.length, new Set(ids).size]).toEqual([10_000, 10_000])
    const revoked = await gateway.auth.revokeKey({ workspace_id: workspace.id, key_id: ids[5_000]! })
    expect(revoked.status).toBe('revoked')
    const wrong = gateway.auth.listKeys({ workspace_id: workspace.id, cursor: 'wrong' })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('a workspace has a thousand active keys at most, also when several are created at once, and revoking one makes room', async () => {
    await addKeys(500, { revoked: true })
    await addKeys(maxActiveKeys - 1)
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => createKey('the last one')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'invalid_request',
        detail: 'A workspace has at most 1000 active API keys. Revoke one first.',
      },
    })
    const [last] = await listed()
    expect(last).toMatchObject({ label: 'the last one', status: 'active' })
    await gateway.auth.revokeKey({ workspace_id: workspace.id, key_id: last!.id })
    expect(await createKey('another one')).toMatchObject({ status: 'active' })
  })

  test('text that Postgres cannot store is refused, and is not an internal error', async () => {
    await expect(createKey('a\0b')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(gateway.auth.createWorkspace({ name: '\0', capabilities: [] })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('a new key is valid at once, for its workspace and its capabilities', async () => {
    const { key, id } = await createKey()
    expect(await gateway.authenticate(`Bearer ${key}`)).toEqual({
      key_id: id,
      workspace_id: workspace.id,
      capabilities: ['tts'],
      suspended: false,
    })
  })

  test('keys are listed newest first, without the key', async () => {
    const first = await createKey('first')
    const { key, ...second } = await createKey('second')
    const keys = await listed()
    expect(keys.map(({ label }) => label)).toEqual(['second', 'first'])
    expect(keys[0]).toEqual(second)
    expect(second).toMatchObject({ prefix: key.slice(0, 12), status: 'active', last_used_at: null, revoked_at: null })
    expect(first.id).not.toBe(second.id)
  })

  test('keys that were created within one millisecond are also listed newest first', async () => {
    for (let n = 0; n < 5; n++) await createKey()
    const ids = (await listed()).map(({ id }) => id).sort()
    await installation.makeWithinOneMillisecond('api_keys', ids)
    expect((await listed()).map(({ id }) => id)).toEqual(ids.toReversed())
  })

  test('a key is not stored: no column of Postgres and no value of Redis contains it', async () => {
    const { key } = await createKey()
    await gateway.authenticate(`Bearer ${key}`)
    const secretPart = key.slice(12, 40)

    const database = await installation.openDatabase()
    const tables = await database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'auth'`,
    )
    const ofKeys = ['workspaces', 'api_keys', 'api_key_digests']
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(ofKeys))
    for (const { name } of tables) {
      const rows = JSON.stringify(await database.query(`select * from ${name}`))
      if (ofKeys.includes(name)) expect(rows).not.toBe('[]')
      expect(rows).not.toContain(secretPart)
    }
    await database.close()

    const redis = createRedisClient({ url: installation.redis.url })
    await redis.connect()
    const places = await redis.keys('*')
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) expect(`${place} ${await redis.get(place)}`).not.toContain(secretPart)
    redis.destroy()
  })

  test('the last use of a key is written, and never moves back or into the future', async () => {
    const { id, key } = await createKey()
    const lastUse = async () => (await listed())[0]?.last_used_at
    const recorder = createKeyUseRecorder({ record: (uses) => gateway.auth.recordKeyUse({ uses }) })
    recorder.used((await gateway.authenticate(`Bearer ${key}`)).key_id)
    await recorder.stop()
    const used = await lastUse()
    expect(Math.abs(Date.now() - Date.parse(used ?? ''))).toBeLessThan(60_000)

    await gateway.auth.recordKeyUse({
      uses: [
        { key_id: id, last_used_at: '2020-01-01T00:00:00.000Z' },
        { key_id: unknownId, last_used_at: '2020-01-01T00:00:00.000Z' },
      ],
    })
    expect(await lastUse()).toBe(used)

    const ahead = new Date(Date.now() + 3_600_000).toISOString()
    await gateway.auth.recordKeyUse({ uses: [{ key_id: id, last_used_at: ahead }] })
    expect(Date.parse((await lastUse()) ?? '')).toBeLessThan(Date.parse(ahead))
  })

  test('batches of several gateways that name the same keys in any order do not block each other', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, async () => (await createKey()).id))
    const start = Date.now() - 60_000
    const batches = Array.from({ length: 20 }, (_, n) => {
      const uses = [...ids, ...ids].map((key_id, i) => ({
        key_id,
        last_used_at: new Date(start + n * 100 + i).toISOString(),
      }))
      return gateway.auth.recordKeyUse({ uses: n % 2 ? uses.reverse() : uses })
    })
    await Promise.all(batches)
    const newest = (await listed()).map(({ last_used_at }) => Date.parse(last_used_at ?? '') - start)
    expect(Math.min(...newest)).toBeGreaterThanOrEqual(19 * 100 + 40)
  })
})
