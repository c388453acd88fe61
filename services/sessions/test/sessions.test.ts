import { describeWithPrograms } from '@parlance/testing'
import type { ConversationOptions } from '../src/call/conversation/conversation.js'
import { connectClient } from './fake-client.js'
import { openFakeConversation } from './fake-parts.js'
import { type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'a conversation', () => {
  let installation: Installation
  const given: ConversationOptions[] = []
  beforeAll(async () => {
    installation = await startInstallation({
      parts: {
        openConversation(options) {
          given.push(options)
          return openFakeConversation(options)
        },
      },
      environment: {
        SEARCH_SEARXNG_URL: 'http://searxng.example',
        TOOL_SIGNING_KEY: `whsk_${Buffer.alloc(32, 7).toString('base64')}`,
      },
    })
  }, 60_000)
  afterAll(() => installation.stop(), 30_000)

  const begin = async (workspaceId: string, agentId: string, request: object = {}) => {
    const started = await installation.start(workspaceId, agentId, request)
    const address = { workspace_id: workspaceId, session_id: started.session_id }
    const peer = connectClient(installation, address, 'sessions-0')
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return { started, address, peer }
  }

  test('is started and ended over the bus, and its record has all of it', async () => {
    const workspaceId = await installation.newWorkspace()
    const agentId = installation.newAgent()
    const { started, address, peer } = await begin(workspaceId, agentId, { metadata: { page: 'a\u0000b' } })
    expect(started).toMatchObject({ agent_id: agentId, status: 'connecting', sdp: null, max_duration_seconds: 600 })

    await peer.say('Hello there')
    await peer.event('transcript', (event) => 'role' in event && event.role === 'agent')
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    expect(peer.events.at(-1)).toEqual({ event: 'session.ended', reason: 'api_ended', end_reason: 'api_ended' })
    expect(peer.audioFrames()).toBe(11)
    expect(new Set(installation.speechRequests.map(({ purpose }) => purpose))).toEqual(new Set(['reply']))

    const record = await installation.records.getSession(address)
    expect(record).toMatchObject({
      id: started.session_id,
      agent_id: agentId,
      status: 'ended',
      end_reason: 'api_ended',
      error: null,
      transport: 'websocket',
      metadata: { page: 'a\u0000b' },
      usage: { stt_seconds: 0.5, llm_input_tokens: 10, llm_output_tokens: 5, tts_characters: 11 },
      latency: { voice_to_voice_ms: { p50: 100, p95: 100 } },
    })
    expect(record.transcript.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Hello there'],
      ['agent', 'Hello there'],
    ])
  })

  test('has the measurements of each turn, in their order and page by page', async () => {
    const { address, peer } = await begin(await installation.newWorkspace(), installation.newAgent())
    for (const text of ['One', 'Two', 'Three']) {
      await peer.say(text)
      await peer.event('transcript', (event) => 'role' in event && event.role === 'agent' && event.text === text)
    }
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    const measured = { stt_ms: 2, llm_ttft_ms: 3.5, tts_ttfa_ms: null, voice_to_voice_ms: 100 }
    const turns = [1, 2, 3].map((endpointing_ms) => ({ endpointing_ms, ...measured }))
    expect(await installation.records.listTurns(address)).toEqual({ turns, next_cursor: null })
    const first = await installation.records.listTurns({ ...address, limit: 2 })
    expect(first).toEqual({ turns: turns.slice(0, 2), next_cursor: expect.any(String) })
    const rest = await installation.records.listTurns({ ...address, limit: 2, cursor: first.next_cursor! })
    expect(rest).toEqual({ turns: turns.slice(2), next_cursor: null })
  })

  test('keeps the sources of a message', async () => {
    const { address, peer } = await begin(await installation.newWorkspace(), installation.newAgent())
    for (const text of ['Found it', 'Hello']) {
      await peer.say(text)
      await peer.event('transcript', (event) => 'role' in event && event.role === 'agent' && event.text === text)
    }
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    const sources = [{ title: 'A “page”, {quoted}', url: 'https://example.org/?a=\\' }]
    const { transcript } = await installation.records.getSession(address)
    expect(transcript.map((message) => message.sources)).toEqual([undefined, sources, undefined, undefined])
    const { messages } = await installation.records.listMessages({ ...address, limit: 10, order: 'asc' })
    expect(messages).toEqual(transcript)
    expect('sources' in messages[0]!).toBe(false)
  })

  test('has the tools that both its revision and the installation have', async () => {
    const workspaceId = await installation.newWorkspace()
    const url = 'http://127.0.0.1:1/'
    const toolsOf = async (agentId: string) => {
      await installation.start(workspaceId, agentId)
      return given.at(-1)!.tools
    }
    expect(await toolsOf(installation.newAgent())).toEqual([])
    const tools = await toolsOf(
      installation.newAgent({ web_search_enabled: true, tools: [{ type: 'webhook', name: 'find_order', url }] }),
    )
    expect(tools.map(({ name }) => name)).toEqual(['find_order', 'web_search'])
    const context = { callId: 'a-call', turn: 1, userText: '', playedText: '', signal: new AbortController().signal }
    expect(await tools[0]!.call({}, context)).toEqual({
      text: 'The tool cannot be reached: its address is not allowed.',
      isError: true,
    })
  })
})
