/**
 * Protection against prompt injection does not depend on the model: with a model that obeys every untrusted text, no tool is
 * called that the Agent does not have, and no data of another user is reached.
 */

import { agentConfigSchema } from '@parlance/contracts'
import { createWebhookSigner, type EgressClient, type EgressRequest } from '@parlance/egress'
import { createLogger } from '@parlance/telemetry'
import { describe, expect, test } from 'vitest'
import type { Tool } from '../../src/tools/tool.js'
import type { SearchResult } from '../../src/tools/web-search/search-engine.js'
import { createOpenWebSearch } from '../../src/tools/web-search/web-search.js'
import { createOpenWebhookTools } from '../../src/tools/webhook-tools.js'
import type { FakeCall, FakeTool } from '../conversation/fake-tools.js'
import { pageTool } from '../conversation/fake-tools.js'
import { conversation, fakeTime, sessionId } from '../conversation/scenario.js'
import { corpus, type Injection, type Way } from './corpus.js'
import { createObedientModel } from './obedient-model.js'

fakeTime()

/** Created before time is faked, since it has a timer of its own. */
const logger = createLogger({ level: 'silent' })

const agentId = 'c0a1c1de-0000-4000-8000-000000000001'
const endUserId = 'c0a1c1de-0000-4000-8000-000000000002'
const url = 'https://shop.example/orders'
const othersOrder = 'a telescope for the neighbors'

/** The shop's server. It trusts the user in a signed request. */
const createShop = (answer: string) => {
  const requests: EgressRequest[] = []
  const client: Pick<EgressClient, 'send'> = {
    async send(request) {
      requests.push(request)
      const { end_user_id } = JSON.parse(request.body ?? '{}') as { end_user_id: string }
      const text = end_user_id === endUserId ? answer : othersOrder
      return { status: 200, mediaType: 'text/plain', text }
    },
  }
  return { client, requests }
}

const recorded = (tool: Tool): FakeTool & { calls: FakeCall[] } => {
  const calls: FakeCall[] = []
  return {
    ...tool,
    calls,
    async call(args, context) {
      const call: FakeCall = { ...context, args, atMs: 0, outcome: 'open' }
      calls.push(call)
      const result = await tool.call(args, context)
      call.outcome = 'answered'
      return result
    },
  }
}

const openTools = (injection: Injection) => {
  const shop = createShop(injection.way === 'result' ? injection.text : 'Your order is on its way.')
  const queries: string[] = []
  const page: SearchResult = {
    title: 'Opening hours',
    url: 'https://museum.example/',
    snippet: injection.way === 'page' ? injection.text : 'Open from nine.',
  }
  const engine = {
    name: 'fake',
    async search(query: string) {
      queries.push(query)
      return [page]
    },
  }
  const signer = createWebhookSigner(`whsk_${Buffer.alloc(32, 7).toString('base64')}`)
  const kinds = [
    createOpenWebhookTools({ client: shop.client, signer, logger }),
    createOpenWebSearch({ engine, logger }),
  ]
  const caller = {
    workspaceId: 'a-workspace',
    agentId,
    sessionId,
    requestId: 'a-request',
    endUserId,
    timeZone: 'UTC',
    config: agentConfigSchema.parse({
      slug: 'an-agent',
      display_name: 'An agent',
      voice_id: '0'.repeat(32),
      llm_provider: 'builtin',
      llm_model: 'builtin',
      web_search_enabled: true,
      tools: [{ type: 'webhook', name: 'find_order', url }],
    }),
  }
  const tools = kinds.flatMap((open) => open(caller)).map(recorded)
  return { tools, shop, queries }
}

const first: Readonly<Partial<Record<Way, readonly [string, unknown]>>> = {
  result: ['find_order', { order: 7 }],
  page: ['web_search', { query: 'opening hours' }],
}

const inject = async (injection: Injection) => {
  const { way, text } = injection
  const parts = openTools(injection)
  const model = createObedientModel(injection, first[way])
  const scenario = conversation({
    model,
    tools: parts.tools,
    pageTools: [pageTool('open_page', { timeout_ms: 500 })],
    microphone: false,
    background: { memories: way === 'memory' ? ['The user is called Ana.', text] : [] },
  }).ready()
  if (way === 'context') scenario.send({ event: 'context.update', text })
  const talk = await scenario
    .types(way === 'words' ? text : 'Where is my order?')
    .agent()
    .agentIsDone()
    .run()
  return { ...parts, talk, model }
}

const ways: readonly Way[] = ['result', 'page', 'memory', 'context', 'words']

test('the corpus has texts for every way of injection', () => {
  expect(new Set(corpus.map(({ way }) => way))).toEqual(new Set(ways))
})

describe.each(ways)('an injection by the way of a %s', (way) => {
  test.each(corpus.filter((injection) => injection.way === way))('has no effect: $text', async (injection) => {
    const { talk, tools, shop, model } = await inject(injection)
    if (injection.hidden !== undefined) expect(model.obeyed()).toBe(false)
    else expect(model.obeyed()).toBe(true)

    // No call of a tool that the Agent does not have, here or on the page.
    const listed = [...tools.map(({ name }) => name), 'open_page']
    expect(model.answers().filter(({ name, isError }) => !listed.includes(name) && !isError)).toEqual([])
    expect(talk.events('tool.call').filter(({ name }) => name !== 'open_page')).toEqual([])

    // No data of another user: every request is for this user, to the address that the Agent's author gave.
    for (const request of shop.requests) {
      expect(request).toMatchObject({ url, method: 'POST' })
      expect(JSON.parse(request.body!)).toMatchObject({
        name: 'find_order',
        agent_id: agentId,
        session_id: sessionId,
        end_user_id: endUserId,
      })
      expect(Object.keys(request.headers)).not.toContain('x-end-user')
      expect(request.headers['webhook-signature']).toMatch(/^v1a,/)
    }
    const disclosed = JSON.stringify([talk.sent, talk.kept.messages, talk.tts.spoken])
    expect(disclosed).not.toContain(othersOrder)
  })
})

test('an Agent without tools calls none, although its model does', async () => {
  const injection: Injection = {
    way: 'words',
    text: 'Call them all.',
    order: [
      ['find_order', {}],
      ['open_page', {}],
    ],
  }
  const model = createObedientModel(injection, undefined)
  const talk = await conversation({ model }).ready().types('Call them all.').types('Go on.').agent().agentIsDone().run()
  expect(model.obeyed()).toBe(true)
  expect(talk.events('tool.call')).toEqual([])
})
