import { type ChildProcess, spawn } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { parsePeppers } from '@parlance/clients/api-key'
import { createModelKeys } from '@parlance/clients/model-keys'
import { agentConfigSchema } from '@parlance/contracts'
import { createEgressGuard, parseAllowedPlaces } from '@parlance/egress'
import { createLogger } from '@parlance/telemetry'
import { freePort, startLocalServer } from '@parlance/testing'
import { createOpenMcpTools } from '../../src/tools/mcp-tools.js'
import { createToolRunner } from '../../src/tools/tool-runner.js'
import { createTryTool } from '../../src/tools/try-tool.js'

const logger = createLogger({ level: 'silent' })
const headerKeys = createModelKeys(parsePeppers('1:a-master-key-for-tests-only'), 'headers')
const workspaceId = 'a-workspace'
const headerId = '5f8a1f52-6b0c-4b7e-9d5e-0c6f4f1f1a01'
const unknownId = '5f8a1f52-6b0c-4b7e-9d5e-0c6f4f1f1a02'

const open = async (tools: readonly object[], { allow = '127.0.0.0/8' } = {}) => {
  const config = agentConfigSchema.parse({
    ...{ slug: 'an-agent', display_name: 'A', voice_id: 'a'.repeat(32), llm_provider: 'builtin', llm_model: 'rules' },
    tools,
  })
  const sealed = await headerKeys.seal({ workspaceId, providerId: headerId }, 'Bearer a-secret')
  const openMcpTools = createOpenMcpTools({
    agents: { getSealedHeaders: async () => ({ headers: [{ id: headerId, sealed }] }) },
    headerKeys,
    guard: createEgressGuard({ allow: parseAllowedPlaces(allow) }),
    logger,
  })
  const opened = await openMcpTools({ workspaceId, agentId: 'a', sessionId: 's', requestId: 'r', config })
  const { tools: named, run } = createToolRunner({ tools: opened.tools, logger })
  const context = { callId: 'c', turn: 1, userText: '', playedText: '', signal: new AbortController().signal }
  return {
    ...opened,
    /** Tries the first server. */
    tryServer: () =>
      createTryTool({ openTools: () => [], openMcpTools, logger })({
        ...{ workspaceId, agentId: 'a', personId: 'p', requestId: 'r', config, name: config.tools[0]!.name },
        ...{ arguments: {}, timeZone: 'UTC', confirmed: false, signal: context.signal },
      }),
    names: named.map(({ name }) => name),
    call: (name: string, args: object) => run({ name, arguments: args }, context),
  }
}

/** A server with the tool `find_order`, and the headers of its requests. */
const startOrders = async (answer = 'It is on its way.') => {
  const requests: { readonly method: string | undefined; readonly headers: IncomingHttpHeaders }[] = []
  const { url, close } = await startLocalServer(async (request, response) => {
    requests.push({ method: request.method, headers: request.headers })
    const mcp = new McpServer({ name: 'orders', version: '1.0.0' })
    mcp.registerTool('find_order', { description: 'Finds an order.\u200b' }, async () => ({
      content: [{ type: 'text', text: answer }],
    }))
    const transport = new StreamableHTTPServerTransport({})
    response.once('close', () => void mcp.close())
    await mcp.connect(transport as Parameters<McpServer['connect']>[0])
    await transport.handleRequest(request, response)
  })
  return { url: `${url}/mcp`, requests, stop: close }
}

describe('the reference server of the protocol', () => {
  let child: ChildProcess
  let url: string
  beforeAll(async () => {
    const port = await freePort()
    const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
    child = spawn(process.execPath, [join(dirname(manifest), 'dist/index.js'), 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    for await (const text of child.stderr!) if (String(text).includes('listening')) break
    url = `http://127.0.0.1:${port}/mcp`
    // On a busy machine the first answers of a new process take longer than a conversation waits.
    for (let isReady = false; !isReady; ) {
      const { failures, close } = await open([{ type: 'mcp', name: 'everything', url }])
      isReady = failures.length === 0
      await close()
    }
  })
  afterAll(() => void child.kill('SIGKILL'))

  test('has tools that are listed with their schemas, checked and called', async () => {
    const everything = await open([{ type: 'mcp', name: 'everything', url }])
    expect(everything.failures).toEqual([])
    expect(everything.names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']))
    expect(await everything.call('get-sum', { a: 2, b: 40 })).toEqual({
      text: 'The sum of 2 and 40 is 42.',
      isError: false,
    })
    expect(await everything.call('get-sum', { a: 2 })).toEqual({
      text: 'The tool was not called: arguments.b is missing.',
      isError: true,
    })
    const weather = await everything.call('get-structured-content', { location: 'Chicago' })
    expect(JSON.parse(weather.text)).toMatchObject({ temperature: expect.any(Number) })
    await everything.close()
    expect(await everything.call('get-sum', { a: 2, b: 40 })).toMatchObject({ isError: true })
  })

  test('offers only the tools that the Agent allows', async () => {
    const some = await open([{ type: 'mcp', name: 'everything', url, allowed_tools: ['echo', 'no_such_tool'] }])
    expect(some.names).toEqual(['echo'])
    await some.close()
  })
})

test('a tool has the name of its server before its own where two servers have it', async () => {
  const [here, there] = [await startOrders('Here.'), await startOrders('There.')]
  const both = await open([
    { type: 'mcp', name: 'berlin', url: here.url },
    { type: 'mcp', name: 'paris', url: there.url },
  ])
  expect(both.names).toEqual(['berlin_find_order', 'paris_find_order'])
  expect(await both.call('paris_find_order', {})).toEqual({ text: 'There.', isError: false })
  await both.close()
  for (const server of [here, there]) await server.stop()
})

test('a server is sent its headers with each request, and text of its own reaches the model without what is invisible', async () => {
  const server = await startOrders('It\u200b is \u{e0041}here.')
  const orders = await open([
    { type: 'mcp', name: 'orders', url: server.url, headers: { authorization: `sealed:${headerId}` } },
  ])
  expect(orders.tools[0]!.description).toBe('Finds an order.')
  expect(await orders.call('find_order', {})).toEqual({ text: 'It is here.', isError: false })
  await orders.close()
  expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['POST']))
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer a-secret']))
  await server.stop()
})

test('a server is tried before it is saved: its tools are listed, or the reason why there are none', async () => {
  const server = await startOrders()
  const headers = { authorization: 'Bearer unsaved' }
  const orders = await open([{ type: 'mcp', name: 'orders', url: server.url, headers }])
  const duration_ms = expect.any(Number)
  expect(await orders.tryServer()).toEqual({
    outcome: 'succeeded',
    result: '- find_order: Finds an order.',
    duration_ms,
  })
  expect(server.requests.at(-1)!.headers.authorization).toBe('Bearer unsaved')
  const none = await open([{ type: 'mcp', name: 'orders', url: server.url, allowed_tools: ['other'] }])
  expect((await none.tryServer()).result).toBe('The server has no tool that the Agent may call.')
  await Promise.all([orders.close(), none.close()])
  await server.stop()
  const result = expect.stringMatching(/does not speak the Model Context Protocol|refused/)
  expect(await orders.tryServer()).toEqual({ outcome: 'failed', result, duration_ms })
})

test('servers that fail are reported, and those that work can be used', async () => {
  const page = await startLocalServer((_, response) => response.writeHead(401).end())
  const server = await startOrders()
  const some = await open(
    [
      { type: 'mcp', name: 'refused', url: `${page.url}/` },
      { type: 'mcp', name: 'private', url: server.url.replace('127.0.0.1', '127.0.0.2') },
      { type: 'mcp', name: 'unknown_header', url: server.url, headers: { 'x-key': `sealed:${unknownId}` } },
      { type: 'mcp', name: 'orders', url: server.url },
    ],
    { allow: '127.0.0.1' },
  )
  expect(some.names).toEqual(['find_order'])
  expect(some.failures).toEqual([
    { server: 'refused', reason: 'It answered with status 401.' },
    {
      server: 'private',
      reason: 'The address is not on the public Internet, and the operator does not allow it.',
    },
    { server: 'unknown_header', reason: 'The value of its header "x-key" is not stored.' },
  ])
  await some.close()
  await server.stop()
  await page.close()
})
