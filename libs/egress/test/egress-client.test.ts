import type { RequestListener } from 'node:http'
import { freePort, type LocalServer, startLocalServer } from '@parlance/testing'
import {
  createEgressClient,
  type EgressClient,
  type EgressClientOptions,
  EgressError,
  everyPlace,
  parseAllowedPlaces,
} from '../src/index.js'

const open: { clients: EgressClient[]; servers: LocalServer[] } = { clients: [], servers: [] }

afterEach(async () => {
  await Promise.all(open.clients.splice(0).map((client) => client.close()))
  for (const server of open.servers.splice(0)) await server.close()
})

const startServer = async (answer: RequestListener) => {
  const received: string[] = []
  const server = await startLocalServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  open.servers.push(server)
  return { ...server, received }
}

const clientOf = (options: Partial<EgressClientOptions> = {}) => {
  const client = createEgressClient({ allow: parseAllowedPlaces('127.0.0.0/8'), ...options })
  open.clients.push(client)
  return client
}

const get = (url: string, options: { maxBytes?: number; timeoutMs?: number; signal?: AbortSignal } = {}) => ({
  method: 'GET' as const,
  url,
  headers: {},
  maxBytes: 1000,
  timeoutMs: 5_000,
  signal: new AbortController().signal,
  ...options,
})

const problemOf = async (sent: Promise<unknown>) => {
  const error = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof EgressError ? error.problem : error
}

test('a response has its status, its type and its text', async () => {
  const server = await startServer(async (request, response) => {
    for await (const chunk of request) expect(String(chunk)).toBe('{"a":1}')
    response.writeHead(201, { 'content-type': 'Application/JSON; charset=utf-8', 'set-cookie': 'a=b' })
    response.end('{"ok":"✓"}')
  })
  const client = clientOf()
  const request = { ...get(`http://127.0.0.1:${server.port}/in?x=1`), method: 'POST' as const, body: '{"a":1}' }
  const answer = { status: 201, mediaType: 'application/json', text: '{"ok":"✓"}' }
  await expect(client.send(request)).resolves.toEqual(answer)
  await expect(client.send(request)).resolves.toEqual(answer)
  expect(server.received).toEqual(['POST /in?x=1', 'POST /in?x=1'])
  expect(server.connections()).toBe(2)
})

test('connections are kept alive when that is requested', async () => {
  const server = await startServer((_, response) => void response.end('a'))
  const client = clientOf({ keepMs: 60_000 })
  for (let n = 0; n < 8; n++) await client.send(get(`http://127.0.0.1:${server.port}/`))
  // The second request may be sent before the first connection is known to be free.
  expect(server.connections()).toBeLessThanOrEqual(2)
})

describe('a private address in any notation', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '0.0.0.0',
    '0',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ])('%s is refused, and receives no request', async (host) => {
    const server = await startServer((_, response) => void response.end('secret'))
    const client = clientOf({ allow: parseAllowedPlaces('') })
    await expect(problemOf(client.send(get(`http://${host}:${server.port}/`)))).resolves.toBe('refused')
    expect(server.connections()).toBe(0)
  })
})

test.each(['localhost', 'localhost.', 'LOCALHOST'])('%s is not called', async (host) => {
  const server = await startServer((_, response) => void response.end('secret'))
  const client = clientOf({ allow: parseAllowedPlaces(''), resolve: async () => ['127.0.0.1', '::1'] })
  await expect(problemOf(client.send(get(`http://${host}:${server.port}/`)))).resolves.toBe('refused')
  expect(server.connections()).toBe(0)
})

test('a name is checked at each request, since its address may change', async () => {
  const server = await startServer((_, response) => void response.end('ok'))
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']]
  const client = clientOf({ allow: parseAllowedPlaces('127.0.0.1'), resolve: async () => answers.shift() ?? [] })
  const request = get(`http://rebinding.example:${server.port}/`)
  await expect(client.send(request)).resolves.toMatchObject({ text: 'ok' })
  await expect(problemOf(client.send(request))).resolves.toBe('refused')
  await expect(problemOf(client.send(request))).resolves.toBe('refused')
  expect(server.connections()).toBe(1)
})

test('of several addresses only the allowed ones are connected to', async () => {
  const server = await startServer((_, response) => void response.end('ok'))
  const client = clientOf({ resolve: async () => ['10.0.0.1', '::1', '127.0.0.1'] })
  await expect(client.send(get(`http://mixed.example:${server.port}/`))).resolves.toMatchObject({ text: 'ok' })
})

test('a host that the operator allows may be anywhere', async () => {
  const server = await startServer((_, response) => void response.end('ok'))
  const client = clientOf({ allow: parseAllowedPlaces('localhost') })
  await expect(client.send(get(`http://localhost:${server.port}/`))).resolves.toMatchObject({ text: 'ok' })
  await expect(problemOf(client.send(get(`http://127.0.0.1:${server.port}/`)))).resolves.toBe('refused')
})

test.each([301, 302, 303, 307, 308])('a redirect of status %d is refused, wherever it leads', async (status) => {
  const server = await startServer((_, response) => {
    response.writeHead(status, { location: '/elsewhere' })
    response.end('x'.repeat(100_000))
  })
  const client = clientOf()
  await expect(problemOf(client.send(get(`http://127.0.0.1:${server.port}/`)))).resolves.toBe('refused')
  expect(server.received).toEqual(['GET /'])
})

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'http://user@example.com/',
  'http://u:p@example.com/',
  'no',
  '',
])('%j is refused before a name is resolved', async (url) => {
  const looked: string[] = []
  const resolve = async (name: string) => {
    looked.push(name)
    return []
  }
  await expect(problemOf(clientOf({ resolve }).send(get(url)))).resolves.toBe('refused')
  expect(looked).toEqual([])
})

test('only the ports that the operator allows are called', async () => {
  const server = await startServer((_, response) => void response.end('ok'))
  const allowed = clientOf({ ports: [443, server.port] })
  await expect(allowed.send(get(`http://127.0.0.1:${server.port}/`))).resolves.toMatchObject({ status: 200 })
  const client = clientOf({ ports: [443] })
  await expect(problemOf(client.send(get(`http://127.0.0.1:${server.port}/`)))).resolves.toBe('refused')
  await expect(problemOf(client.send(get('http://127.0.0.1/')))).resolves.toBe('refused')
})

test('a response that exceeds the limit is not read further', async () => {
  const server = await startServer((_, response) => {
    response.write('x'.repeat(100_000))
  })
  const request = get(`http://127.0.0.1:${server.port}/`, { maxBytes: 50_000 })
  await expect(problemOf(clientOf().send(request))).resolves.toBe('too_long')
})

test('a request to a server that sends nothing, or stops in the middle, ends with a time-out', async () => {
  const server = await startServer(({ url }, response) => {
    if (url === '/middle') response.write('a')
  })
  const client = clientOf()
  for (const path of ['/', '/middle']) {
    const request = get(`http://127.0.0.1:${server.port}${path}`, { timeoutMs: 150 })
    await expect(problemOf(client.send(request))).resolves.toBe('timeout')
  }
})

test('a cancelled request closes its connection, and rejects with the reason of the signal', async () => {
  const reason = new Error('Never mind.')
  const controller = new AbortController()
  let hungUp = () => {}
  const gone = new Promise<void>((resolve) => {
    hungUp = resolve
  })
  const server = await startServer((request) => {
    request.on('close', hungUp)
    controller.abort(reason)
  })
  const sent = clientOf().send(get(`http://127.0.0.1:${server.port}/`, { signal: controller.signal }))
  await expect(sent).rejects.toBe(reason)
  await gone
  const again = clientOf().send(get(`http://127.0.0.1:${server.port}/`, { signal: controller.signal }))
  await expect(again).rejects.toBe(reason)
})

test('a connection that cannot be opened is distinguished from one that broke', async () => {
  const port = await freePort()
  const client = clientOf({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(problemOf(client.send(get(`http://127.0.0.1:${port}/`)))).resolves.toBe('unreachable')
  await expect(problemOf(client.send(get('http://nobody.example/')))).resolves.toBe('unreachable')
  const server = await startServer((request) => void request.socket.destroy())
  await expect(problemOf(client.send(get(`http://127.0.0.1:${server.port}/`)))).resolves.toBe('broken')
  await expect(problemOf(client.send(get(`https://127.0.0.1:${server.port}/`)))).resolves.toBe('unreachable')
})

test('proxies of the environment are not used', async () => {
  const proxy = await startServer((_, response) => void response.end('proxied'))
  const server = await startServer((_, response) => void response.end('direct'))
  const before = process.env.http_proxy
  process.env.http_proxy = `http://127.0.0.1:${proxy.port}`
  try {
    const answer = await clientOf({ allow: everyPlace }).send(get(`http://127.0.0.1:${server.port}/`))
    expect(answer.text).toBe('direct')
  } finally {
    if (before === undefined) delete process.env.http_proxy
    else process.env.http_proxy = before
  }
  expect(proxy.connections()).toBe(0)
})
