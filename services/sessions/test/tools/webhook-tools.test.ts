import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { agentConfigSchema } from '@parlance/contracts'
import {
  createEgressClient,
  createWebhookSigner,
  type EgressClient,
  EgressError,
  parseAllowedPlaces,
} from '@parlance/egress'
import { createLogger } from '@parlance/telemetry'
import { sendJson, startLocalServer } from '@parlance/testing'
import { afterEach, describe, expect, test } from 'vitest'
import type { OpenToolsOptions } from '../../src/tools/tool.js'
import { createOpenWebhookTools, type WebhookToolsOptions } from '../../src/tools/webhook-tools.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const signer = createWebhookSigner(`whsk_${Buffer.alloc(32, 7).toString('base64')}`)

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const startWebhook = async (answer: (response: ServerResponse, received: Received) => void) => {
  const received: Received[] = []
  const { url, close } = await startLocalServer(async (request, response) => {
    const call = { headers: request.headers, body: await text(request) }
    received.push(call)
    answer(response, call)
  })
  closing.push(close)
  return { url: `${url}/hook?secret=abc`, received }
}

const json = (status: number, body: unknown) => (response: ServerResponse) => sendJson(response, status, body)

const realClient = () => {
  const client = createEgressClient({ allow: parseAllowedPlaces('127.0.0.0/8') })
  closing.push(client.close)
  return client
}

const logged: string[] = []
const logger = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } })

const conversation = (url: string, timeoutMs = 5_000): OpenToolsOptions => ({
  workspaceId: 'a-workspace',
  agentId: 'an-agent',
  sessionId: 'a-session',
  requestId: 'a-request',
  endUserId: 'an-end-user',
  timeZone: 'UTC',
  config: agentConfigSchema.parse({
    slug: 'an-agent',
    display_name: 'An agent',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'builtin',
    tools: [
      { type: 'client', name: 'open_page' },
      { type: 'webhook', name: 'find_order', description: 'Finds an order.', url, timeout_ms: timeoutMs },
    ],
  }),
})

const openTool = (url: string, options: Partial<WebhookToolsOptions> & { timeoutMs?: number } = {}) => {
  const open = createOpenWebhookTools({ client: options.client ?? realClient(), signer, logger, ...options })
  const tools = open(conversation(url, options.timeoutMs))
  expect(tools.map(({ name }) => name)).toEqual(['find_order'])
  return tools[0]!
}

const context = (signal = new AbortController().signal) => ({
  callId: 'call-1',
  turn: 1,
  userText: 'My order?',
  playedText: '',
  signal,
})

describe('what a webhook is sent', () => {
  test('contains the ids of the conversation, whatever the arguments of the model', async () => {
    const { url, received } = await startWebhook(json(200, { state: 'shipped' }))
    const args = { order: 7, end_user_id: 'another-user', agent_id: 'x', session_id: 'x', workspace_id: 'x' }
    await expect(openTool(url).call(args, context())).resolves.toEqual({ text: '{"state":"shipped"}', isError: false })
    expect(JSON.parse(received[0]!.body)).toEqual({
      tool_call_id: 'call-1',
      name: 'find_order',
      arguments: args,
      agent_id: 'an-agent',
      session_id: 'a-session',
      end_user_id: 'an-end-user',
    })
    expect(received[0]!.headers['content-type']).toBe('application/json')
    const page = await readFile(new URL('../../../../docs/tools.md', import.meta.url), 'utf8')
    const documented = /^\{ "tool_call_id"[\s\S]*?\}\n/m.exec(page.replaceAll('\n  ', ' '))![0]
    expect(Object.keys(JSON.parse(received[0]!.body))).toEqual(Object.keys(JSON.parse(documented)))
  })

  test('is signed over its id, its time and its body, and verified with the public key', async () => {
    const { url, received } = await startWebhook(json(200, {}))
    const tool = openTool(url)
    for (const order of [1, 2]) await tool.call({ order }, context())
    const raw = Buffer.from(signer.publicKey.replace('whpk_', ''), 'base64')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
    const isSigned = ({ headers }: Received, body: string) => {
      const [version, signature] = String(headers['webhook-signature']).split(',')
      expect(version).toBe('v1a')
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      return verify(null, Buffer.from(signed), key, Buffer.from(signature!, 'base64'))
    }
    const [first, second] = received as [Received, Received]
    expect([isSigned(first, first.body), isSigned(second, second.body)]).toEqual([true, true])
    expect(isSigned(first, second.body)).toBe(false)
    expect(first.headers['webhook-id']).not.toBe(second.headers['webhook-id'])
    expect(Math.abs(Number(first.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('is nothing when the arguments are too long', async () => {
    const { url, received } = await startWebhook(json(200, {}))
    await expect(openTool(url).call({ long: 'x'.repeat(70_000) }, context())).resolves.toMatchObject({ isError: true })
    expect(received).toEqual([])
  })
})

describe('the result for the model', () => {
  test.each([
    ['text', 'text/plain; charset=utf-8', 'Shipped.', { text: 'Shipped.', isError: false }],
    ['problem JSON', 'application/problem+json', '{"a":1}', { text: '{"a":1}', isError: false }],
    ['nothing', 'text/plain', '', { text: 'The tool succeeded and returned nothing.', isError: false }],
  ])('is the answer: %s', async (_, type, body, result) => {
    const { url } = await startWebhook((response) => response.writeHead(200, { 'content-type': type }).end(body))
    await expect(openTool(url).call({}, context())).resolves.toEqual(result)
  })

  test('contains no invisible characters, and has a limited length', async () => {
    const hidden = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    const { url } = await startWebhook((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`a\0\u202eb\u200b${hidden}${'😀'.repeat(20_000)}`)
    })
    const { text } = await openTool(url).call({}, context())
    expect(text.length).toBeLessThanOrEqual(8_000)
    expect(text.startsWith('ab😀')).toBe(true)
    expect(text.isWellFormed()).toBe(true)
  })

  test('is never an HTML page', async () => {
    const { url } = await startWebhook((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>')
    })
    const { text, isError } = await openTool(url).call({}, context())
    expect([isError, text.includes('Sign in')]).toEqual([true, false])
  })

  test('contains the text of a refusal, and not the text of a failure or a redirect', async () => {
    const outcome = async (status: number) => {
      const { url, received } = await startWebhook((response) => {
        response.writeHead(status, { 'content-type': 'text/plain', location: 'http://127.0.0.1:1/' }).end('No order 7.')
      })
      const { text, isError } = await openTool(url).call({}, context())
      expect([isError, received.length]).toEqual([true, 1])
      return text.includes('No order 7.')
    }
    expect(await Promise.all([404, 500, 307].map(outcome))).toEqual([true, false, false])
  })
})

describe('a webhook that fails', () => {
  const failing = (...problems: EgressError['problem'][]) => {
    let sent = 0
    const client: Pick<EgressClient, 'send'> = {
      async send() {
        sent += 1
        const problem = problems.shift()
        if (problem !== undefined) throw new EgressError(problem, 'It failed.')
        return { status: 200, mediaType: 'text/plain', text: 'Done.' }
      },
    }
    return { client, sent: () => sent }
  }

  test.each(['refused', 'timeout', 'too_long', 'broken'] as const)(
    'is not asked again once it is %s',
    async (problem) => {
      const { client, sent } = failing(problem)
      await expect(openTool('http://a.example', { client }).call({}, context())).resolves.toMatchObject({
        isError: true,
      })
      expect(sent()).toBe(1)
    },
  )

  test('is retried once when the connection failed', async () => {
    const once = failing('unreachable')
    const done = { text: 'Done.', isError: false }
    await expect(openTool('http://a.example', { client: once.client }).call({}, context())).resolves.toEqual(done)
    const twice = failing('unreachable', 'unreachable')
    const tool = openTool('http://a.example', { client: twice.client })
    await expect(tool.call({}, context())).resolves.toMatchObject({ isError: true })
    expect([once.sent(), twice.sent()]).toEqual([2, 2])
  })

  test('is aborted at its time limit', async () => {
    const { url } = await startWebhook(() => {})
    const tool = openTool(url, { timeoutMs: 150 })
    expect(tool.timeoutMs).toBe(150)
    await expect(tool.call({}, context())).resolves.toMatchObject({ isError: true })
  })

  test('ends with its turn', async () => {
    const controller = new AbortController()
    const reason = new Error('The turn is over.')
    const { url } = await startWebhook(() => controller.abort(reason))
    await expect(openTool(url).call({}, context(controller.signal))).rejects.toBe(reason)
  })

  test('is logged without the request, the address and the response', async () => {
    logged.splice(0)
    const { url } = await startWebhook((response) => response.destroy())
    await openTool(url).call({ order: 'order-4711' }, context())
    logger.flush()
    expect(logged.join('')).toContain('A webhook tool failed')
    expect(logged.join('')).not.toMatch(/order-4711|secret=abc|v1a|end-user/)
  })

  test('is not called by an installation without a signing key', async () => {
    const { url, received } = await startWebhook(json(200, {}))
    const tool = openTool(url, { signer: undefined })
    await expect(tool.call({}, context())).resolves.toEqual({
      text: 'This tool is not available here.',
      isError: true,
    })
    expect(received).toEqual([])
  })

  test('is not called in a private network', async () => {
    const { url, received } = await startWebhook(json(200, {}))
    const client = createEgressClient({ allow: parseAllowedPlaces('') })
    closing.push(client.close)
    const { isError } = await openTool(url, { client }).call({}, context())
    expect([isError, received.length]).toEqual([true, 0])
  })
})
