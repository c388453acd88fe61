import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInProcessBus, type ServedContract, serve } from '@parlance/bus'
import { authContract, errorBodySchema } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import { fakeHandlers } from '@parlance/testing'
import { createOperator } from '../src/operator.js'

const workspace = {
  id: randomUUID(),
  name: 'Grüße',
  capabilities: ['tts' as const],
  suspended: false,
  max_concurrent_sessions: 20,
  max_concurrent_streams: 50,
  created_at: '2026-01-31T09:30:00.000Z',
}

let folder: string
let bus: ReturnType<typeof createInProcessBus>
let served: ServedContract
let warned: string[]
let running: RunningService | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-operator-'))
  warned = []
  running = undefined
  bus = createInProcessBus()
  served = await serve(
    bus,
    authContract,
    fakeHandlers(authContract, {
      getWorkspace: ({ workspace_id }, { fail }) =>
        workspace_id === workspace.id ? workspace : fail('not_found', 'There is no such workspace.'),
    }),
    { instanceId: 'test' },
  )
})
afterEach(async () => {
  await running?.stop()
  await served.stop()
  await bus.close()
  await rm(folder, { recursive: true, force: true })
})

const socket = () => join(folder, 'operator.sock')
const start = async (dataFolder = folder) => {
  const logger = { info: () => {}, warn: (_fields: object, message: string) => warned.push(message) }
  running = await createOperator(dataFolder).start({ bus, logger } as unknown as Platform, {})
}

const ask = async (path: string, body: string, method = 'POST') => {
  const request = httpRequest({ socketPath: socket(), path, method }).end(method === 'POST' ? body : undefined)
  const [response] = await once(request, 'response')
  // A connection that ends after the answer is no matter.
  request.on('error', () => {})
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  return { status: response.statusCode as number, body: JSON.parse(text) }
}
const refusal = async (path: string, body: string, method?: string) => {
  const { status, body: answer } = await ask(path, body, method)
  return [status, errorBodySchema.parse(answer).code]
}

test('the response of a call is the reply of its service', async () => {
  await start()
  expect(await ask('/auth/getWorkspace', JSON.stringify({ workspace_id: workspace.id }))).toEqual({
    status: 200,
    body: workspace,
  })
})

test('an error of a service is returned as it is, and a method that no service serves as unavailable', async () => {
  await start()
  expect(await refusal('/auth/getWorkspace', JSON.stringify({ workspace_id: randomUUID() }))).toEqual([
    404,
    'not_found',
  ])
  expect(await refusal('/auth/getWorkspace', '{"workspace_id":1}')).toEqual([400, 'invalid_request'])
  expect(await refusal('/credit/getBalance', JSON.stringify({ workspace_id: workspace.id }))).toEqual([
    503,
    'unavailable',
  ])
})

test.each([
  ['GET', '/auth/getWorkspace'],
  ['POST', '/auth'],
  ['POST', '/auth/toString'],
  ['POST', '/tts/speak'],
  ['POST', '/tokens/mintSessionToken'],
  ['POST', '/auth/getWorkspace/'],
])('%s %s is no call', async (method, path) => {
  await start()
  expect(await refusal(path, '{}', method)).toEqual([404, 'not_found'])
})

test('a request that is not JSON or too large for a bus message is refused', async () => {
  await start()
  expect(await refusal('/auth/getWorkspace', '{"workspace_id":')).toEqual([400, 'invalid_json'])
  expect(await refusal('/auth/getWorkspace', `"${'x'.repeat(600_000)}"`)).toEqual([413, 'payload_too_large'])
})

test('only its owner can use the socket, and it is removed when the process stops', async () => {
  await start()
  expect((await stat(socket())).mode & 0o777).toBe(0o600)
  await running?.stop()
  running = undefined
  expect(await readdir(folder)).toEqual([])
})

test('a socket that a killed process left is replaced', async () => {
  await writeFile(socket(), '')
  await start()
  expect((await ask('/auth/getWorkspace', JSON.stringify({ workspace_id: workspace.id }))).status).toBe(200)
  expect(warned).toEqual([])
})

test('a missing data folder is created', async () => {
  const parent = folder
  folder = join(parent, 'deeper/data')
  await start()
  expect((await stat(socket())).isSocket()).toBe(true)
  await running?.stop()
  running = undefined
  folder = parent
})

describe('when the socket cannot be opened, this is logged and the services run', () => {
  test('because another process serves it, which keeps it', async () => {
    const other = createServer((connection) => connection.destroy()).listen(socket())
    await once(other, 'listening')
    const { ino } = await stat(socket())
    await start()
    expect(warned).toEqual([expect.stringContaining('Another process serves npx parlance')])
    await running?.stop()
    expect((await stat(socket())).ino).toBe(ino)
    other.close()
  })

  test('because the path is too long', async () => {
    await start(join(folder, 'd'.repeat(200)))
    expect(warned).toEqual([expect.stringContaining('too deep')])
    expect(running?.ready()).toBe(true)
  })

  test('because the folder cannot be written to', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await chmod(file, 0o400)
    await start(join(file, 'data'))
    expect(warned).toEqual([expect.stringContaining('cannot connect to this process')])
    expect(running?.ready()).toBe(true)
  })
})
