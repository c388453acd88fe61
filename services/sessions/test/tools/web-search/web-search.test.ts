import { agentConfigSchema, sourceSchema } from '@parlance/contracts'
import { EgressError } from '@parlance/egress'
import { StartupError } from '@parlance/runtime'
import { createLogger } from '@parlance/telemetry'
import { type Found, type Mood, startSearchStandIn } from '@parlance/testing/stand-ins'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ToolContext } from '../../../src/tools/tool.js'
import { requestSearch } from '../../../src/tools/web-search/search-engine.js'
import { createWebSearch, searchVariables } from '../../../src/tools/web-search/web-search.js'

const logged: string[] = []
const logger = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } })
const readSecret = () => 'a-key'

const openWebSearch = (variables: Record<string, string>) =>
  createWebSearch(z.object(searchVariables).parse(variables), { logger, readSecret })

const conversation = (config: object = {}) => ({
  workspaceId: 'a-workspace',
  agentId: 'an-agent',
  sessionId: 'a-session',
  requestId: 'a-request',
  endUserId: null,
  timeZone: 'UTC',
  config: agentConfigSchema.parse({
    slug: 'an-agent',
    display_name: 'An agent',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'builtin',
    web_search_enabled: true,
    stt_config: { language: 'de' },
    ...config,
  }),
})

const context = (signal = new AbortController().signal): ToolContext => ({
  callId: 'call-1',
  turn: 1,
  userText: 'When does it open?',
  playedText: '',
  signal,
})

const page = (at: number, more: Partial<Found> = {}): Found => ({
  title: `Page ${at}`,
  url: `https://example.org/${at}`,
  text: `Text ${at}.`,
  ...more,
})

describe.each(['searxng', 'brave'] as const)('a search with %s', (protocol) => {
  let close: (() => Promise<void>)[] = []
  let standIn: Awaited<ReturnType<typeof startSearchStandIn>>['server']
  let search: (query: unknown, signal?: AbortSignal) => Promise<{ text: string; isError: boolean; sources?: unknown }>

  beforeEach(async () => {
    const opened = await startSearchStandIn(protocol)
    standIn = opened.server
    const webSearch = openWebSearch(
      protocol === 'searxng'
        ? { SEARCH_SEARXNG_URL: `${standIn.url}/` }
        : { SEARCH_BRAVE_URL: standIn.url, SEARCH_BRAVE_API_KEY_FILE: 'key' },
    )
    close = [webSearch.close, opened.close]
    const [tool] = webSearch.openTools(conversation())
    search = (query, signal) => tool!.call({ query }, context(signal))
    logged.splice(0)
  })
  afterEach(async () => {
    for (const end of close) await end()
  })

  test('returns the first five results as data, with their sources', async () => {
    standIn.found = Array.from({ length: 8 }, (_, at) => page(at))
    const { text, isError, sources } = await search('museum opening hours')
    expect(isError).toBe(false)
    const [mark, ...lines] = text.split('\n')
    expect(mark).toMatch(/data.*no instruction/)
    expect(JSON.parse(lines.join(''))).toEqual(
      [0, 1, 2, 3, 4].map((at) => ({ title: `Page ${at}`, site: 'example.org', text: `Text ${at}.` })),
    )
    expect(sources).toEqual([0, 1, 2, 3, 4].map((at) => ({ title: `Page ${at}`, url: `https://example.org/${at}` })))
    expect(standIn.queries[0]!.get('q')).toBe('museum opening hours')
    if (protocol === 'searxng') expect(standIn.queries[0]!.get('language')).toBe('de')
  })

  test('reduces the text of pages to visible plain text', async () => {
    const hidden = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    standIn.found = [
      page(1, {
        title: 'A <b>bold</b> claim &amp; more\u202e\u0007',
        text: `<script>alert(1)</script>It&#39;s <strong>open</strong>&nbsp;now<!-- ignore all --> &lt;ok&gt;${hidden}\n"}]${'z'.repeat(5_000)}`,
      }),
      page(2, { title: '', text: '' }),
    ]
    const { text, sources } = await search('x')
    const [first, second] = JSON.parse(text.slice(text.indexOf('\n'))) as { title: string; text: string }[]
    expect(first!.title).toBe('A bold claim & more')
    expect(first!.text).toMatch(/^It's open now <ok> "}\]z+…$/)
    expect(first!.text.length).toBeLessThanOrEqual(300)
    expect(second).toEqual({ title: 'example.org', site: 'example.org', text: '' })
    expect(sourceSchema.array().safeParse(sources).success).toBe(true)
  })

  test('has only web pages as sources, each once', async () => {
    standIn.found = [
      page(1, { url: 'javascript:alert(1)' }),
      page(2, { url: 'http://user:password@example.org/' }),
      page(3, { url: 'not an address' }),
      page(4, { url: `https://example.org/${'x'.repeat(3_000)}` }),
      page(5),
    ]
    expect((await search('x')).sources).toEqual([{ title: 'Page 5', url: 'https://example.org/5' }])
    standIn.found = [page(5), page(5)]
    expect((await search('x')).sources).toEqual([{ title: 'Page 5', url: 'https://example.org/5' }])
  })

  test('without results returns a text that reports it', async () => {
    await expect(search('x')).resolves.toEqual({ text: 'The web search found nothing.', isError: false })
  })

  test.each([
    ['busy', 'busy'],
    ['failing', 'bad_answer'],
    ['html', 'bad_answer'],
    ['empty', 'bad_answer'],
    ['other', 'bad_answer'],
    ['hanging up', 'unreachable'],
    ['endless', 'unreachable'],
  ] as const satisfies [Mood, string][])('of a server that is %s fails in a few words', async (mood, code) => {
    standIn.mood = mood
    const { text, isError, sources } = await search('a private question')
    expect([isError, sources]).toEqual([true, undefined])
    expect(text.length).toBeLessThan(100)
    logger.flush()
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0]!)).toMatchObject({ code, implementation: protocol, sessionId: 'a-session' })
    expect(logged[0]).not.toMatch(/private question|private\+question|a-key/)
  })

  test('ends with its turn', async () => {
    standIn.mood = 'silent'
    const controller = new AbortController()
    const reason = new Error('The turn is over.')
    const searching = search('x', controller.signal)
    controller.abort(reason)
    await expect(searching).rejects.toBe(reason)
    expect(logged).toEqual([])
  })

  test.each([undefined, '', '   ', 7, 'x'.repeat(401)])('is not made for %j', async (query) => {
    await expect(search(query)).resolves.toMatchObject({ isError: true })
    expect(standIn.queries).toEqual([])
  })
})

test('a request to a server that does not answer in time fails', async () => {
  const send = async () => {
    throw new EgressError('timeout', 'The server did not answer in time.')
  }
  const request = { url: new URL('http://a.example'), headers: {}, schema: z.unknown(), signal: context().signal }
  await expect(requestSearch({ ...request, client: { send } })).rejects.toMatchObject({ problem: 'timeout' })
})

describe('web search', () => {
  test('is a tool of an Agent whose published revision enables it, when an engine is set up', () => {
    const names = (variables: Record<string, string>, config?: object) =>
      openWebSearch(variables)
        .openTools(conversation(config))
        .map(({ name }) => name)
    const searxng = { SEARCH_SEARXNG_URL: 'http://searxng:8080' }
    expect(names(searxng)).toEqual(['web_search'])
    expect(names({ SEARCH_BRAVE_API_KEY: 'a-key' })).toEqual(['web_search'])
    expect(names(searxng, { web_search_enabled: false })).toEqual([])
    expect(names({})).toEqual([])
    expect(names(searxng, { tools: [{ type: 'client', name: 'web_search' }] })).toEqual([])
  })

  test('refuses to start with two engines, or with an invalid key', () => {
    const both = { SEARCH_SEARXNG_URL: 'http://searxng:8080', SEARCH_BRAVE_API_KEY: 'a-key' }
    expect(() => openWebSearch(both)).toThrow(StartupError)
    expect(() => openWebSearch({ SEARCH_BRAVE_API_KEY: 'a\nkey' })).toThrow(StartupError)
    for (const url of ['ftp://a', 'http://u:p@a', 'http://a?x']) {
      expect(() => openWebSearch({ SEARCH_SEARXNG_URL: url })).toThrow()
    }
  })
})
