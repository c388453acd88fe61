import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInProcessBus, type ServedContract, serve } from '@parlance/bus'
import { authContract, type Workspace } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'
import { openDevelopmentKey } from '../src/development-key.js'

const now = '2026-01-31T09:30:00.000Z'

let folder: string
let bus: ReturnType<typeof createInProcessBus>
let served: ServedContract
let workspaces: Map<string, Workspace>
let accepted: Set<string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-development-key-'))
  workspaces = new Map()
  accepted = new Set()
  bus = createInProcessBus()
  served = await serve(
    bus,
    authContract,
    fakeHandlers(authContract, {
      createWorkspace(request) {
        const workspace = { id: randomUUID(), ...request, suspended: false, created_at: now }
        workspaces.set(workspace.id, workspace)
        return workspace
      },
      createKey({ workspace_id, label }, { fail }) {
        if (!workspaces.has(workspace_id)) fail('not_found', 'There is no such workspace.')
        const key = `awp_dev_${accepted.size}`
        accepted.add(key)
        const dates = { created_at: now, last_used_at: null, revoked_at: null }
        return { id: randomUUID(), workspace_id, label, prefix: 'awp_dev_', status: 'active' as const, ...dates, key }
      },
    }),
    { instanceId: 'test' },
  )
})
afterEach(async () => {
  await served.stop()
  await bus.close()
  await rm(folder, { recursive: true, force: true })
})

const file = () => join(folder, 'dev.json')
const open = (url = 'http://127.0.0.1:8080') =>
  openDevelopmentKey({ bus, dataFolder: folder, url, accepts: async (apiKey) => accepted.has(apiKey) })

test('the first start creates a workspace and a key, and writes them to files that only their owner may read', async () => {
  const { key, isNew } = await open()
  expect(isNew).toBe(true)
  expect([...workspaces.keys()]).toEqual([key.workspace_id])
  expect(workspaces.get(key.workspace_id)).toMatchObject({ max_concurrent_sessions: 0, max_concurrent_streams: 0 })
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual(key)
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).sort()).toEqual(['dev.json', 'workspace.json'])
})

test('a later start uses the same key, and writes the current URL of the API', async () => {
  const first = await open()
  const second = await open('http://127.0.0.1:9000')
  expect(second).toMatchObject({ isNew: false, key: { ...first.key, url: 'http://127.0.0.1:9000' } })
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual(second.key)
  expect(workspaces.size).toBe(1)
})

test.each<[string, () => Promise<unknown> | unknown]>([
  ['lost', () => rm(file())],
  ['damaged', () => writeFile(file(), '{"url":')],
  ['of another shape', () => writeFile(file(), '[]')],
  ['there with a key that is refused', () => accepted.clear()],
])('when the file is %s, another key is made in the same workspace', async (_state, spoil) => {
  const first = await open()
  await spoil()
  const second = await open()
  expect(second.isNew).toBe(true)
  expect(second.key.workspace_id).toBe(first.key.workspace_id)
  expect(workspaces.size).toBe(1)
})

test('with another database than at the last start, a workspace is created in it', async () => {
  const first = await open()
  workspaces.clear()
  accepted.clear()
  const second = await open()
  expect(second.key.workspace_id).not.toBe(first.key.workspace_id)
  expect([...workspaces.keys()]).toEqual([second.key.workspace_id])
})
