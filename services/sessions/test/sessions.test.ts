import { randomUUID } from 'node:crypto'
import { agentConfigSchema, type IceServer } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import type { ConversationOptions } from '../src/conversation/conversation.js'
import { connectClient } from './fake-client.js'
import { fakeToolCall, openFakeConversation } from './fake-parts.js'
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
        TURN_URLS: 'turn:turn.example:3478',
        TURN_SECRET: 'a-secret',
        TOOL_SIGNING_KEY: `whsk_${Buffer.alloc(32, 7).toString('base64')}`,
      },
    })
  })
  afterAll(() => installation.stop())

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

  test('has TURN credentials for reconnections that are valid until it ends, however long it may last', async () => {
    const agentId = installation.newAgent({ session_config: { max_duration_seconds: 7_200 } })
    const { started, address } = await begin(await installation.newWorkspace(), agentId)
    const validSeconds = ([turn]: readonly IceServer[]) => Number(turn!.username!.split(':')[0]) - Date.now() / 1000
    expect(validSeconds(started.ice_servers)).toBeGreaterThan(7_200)
    expect(validSeconds((await installation.records.getIceServers({})).ice_servers)).toBeLessThanOrEqual(600)
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
  })

  test('is followed while it lives, and is ended once by a member, which the audit log has', async () => {
    const { address, peer } = await begin(await installation.newWorkspace(), installation.newAgent())
    await peer.say('Hello')
    await peer.event('transcript', (event) => 'role' in event && event.role === 'agent')
    const progress = () => installation.records.getProgress(address)
    let seen = await progress()
    while (seen.final_messages < 2) seen = await progress()
    expect(seen).toMatchObject({ session: { id: address.session_id, status: 'active' }, in_progress: null })

    const actor = { kind: 'person', id: address.workspace_id } as const
    const stranger = { ...address, workspace_id: address.session_id, actor }
    await expect(installation.records.endSession(stranger)).rejects.toMatchObject({ code: 'session_not_found' })
    await installation.records.endSession({ ...address, actor })
    await peer.closed
    expect(peer.events.at(-1)).toMatchObject({ event: 'session.ended', reason: 'api_ended' })
    expect(await progress()).toMatchObject({ session: { status: 'ended', end_reason: 'api_ended' }, final_messages: 2 })
    const again = installation.records.endSession({ ...address, actor })
    await expect(again).rejects.toMatchObject({ code: 'session_ended' })
    const logged = installation.database.inWorkspace(address.workspace_id, (transaction) =>
      transaction.query<{ payload: object }>(`select payload from outbox where destination = 'audit'`),
    )
    const event = { action: 'conversation.ended', actor, details: { session_id: address.session_id } }
    expect(await logged).toMatchObject([{ payload: event }])
  })

  test('has the measurements of each turn, in their order and page by page', async () => {
    const { address, peer } = await begin(await installation.newWorkspace(), installation.newAgent())
    for (const text of ['One', 'Two', 'Three']) {
      await peer.say(text)
      await peer.event('transcript', (event) => 'role' in event && event.role === 'agent' && event.text === text)
    }
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    const measured = {
      stt_ms: 2,
      llm_ttft_ms: 3.5,
      tts_ttfa_ms: null,
      voice_to_voice_ms: 100,
      prepared_ms: 41.5,
      speculation: 'hit',
    }
    const turns = [1, 2, 3].map((endpointing_ms) => ({ endpointing_ms, ...measured }))
    expect(await installation.records.listTurns(address)).toEqual({ turns, next_cursor: null })
    const first = await installation.records.listTurns({ ...address, limit: 2 })
    expect(first).toEqual({ turns: turns.slice(0, 2), next_cursor: expect.any(String) })
    const rest = await installation.records.listTurns({ ...address, limit: 2, cursor: first.next_cursor! })
    expect(rest).toEqual({ turns: turns.slice(2), next_cursor: null })
  })

  test('has the calls of tools with their messages, page by page, until it is removed', async () => {
    const { address, peer } = await begin(await installation.newWorkspace(), installation.newAgent())
    for (const text of ['Call 1', 'Two', 'Call 3']) {
      await peer.say(text)
      await peer.event('transcript', (event) => 'role' in event && event.role === 'agent' && event.text === text)
    }
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    const { transcript } = await installation.records.getSession(address)
    const idOf = (text: string) => transcript.findLast((message) => message.text === text)!.id
    const calls = ['Call 1', 'Call 3'].map((text) => ({
      ...fakeToolCall,
      id: expect.any(String),
      message_id: idOf(text),
    }))
    expect(await installation.records.listToolCalls(address)).toEqual({ tool_calls: calls, next_cursor: null })
    const first = await installation.records.listToolCalls({ ...address, limit: 1 })
    expect(first).toEqual({ tool_calls: calls.slice(0, 1), next_cursor: expect.any(String) })
    const rest = await installation.records.listToolCalls({ ...address, limit: 1, cursor: first.next_cursor! })
    expect(rest).toEqual({ tool_calls: calls.slice(1), next_cursor: null })

    await installation.records.deleteSession(address)
    await expect(installation.records.listToolCalls(address)).rejects.toMatchObject({ code: 'session_not_found' })
    const rows = await installation.database.inWorkspace(address.workspace_id, (transaction) =>
      transaction.query('select id from tool_calls where session_id = $1', [address.session_id]),
    )
    expect(rows).toEqual([])
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

  test('has tools that a member tries by the code of conversations: checked, guarded and timed', async () => {
    const workspace_id = await installation.newWorkspace()
    const address = { workspace_id, agent_id: randomUUID(), person_id: randomUUID() }
    const parameters = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] }
    const webhook = { type: 'webhook', name: 'find_order', url: 'http://127.0.0.1:1/', parameters }
    const config = agentConfigSchema.parse({
      ...{ slug: 'front-desk', display_name: 'Front desk', voice_id: 'a'.repeat(32) },
      ...{ llm_provider: 'builtin', llm_model: 'r', tools: [webhook] },
    })
    const tryTool = (name: string, args: Record<string, unknown>) =>
      installation.records.tryTool({ ...address, config, name, arguments: args })
    const failed = (result: string) => ({ outcome: 'failed', result, duration_ms: expect.any(Number) })
    expect(await tryTool('find_order', {})).toEqual(failed('The tool was not called: arguments.number is missing.'))
    expect(await tryTool('find_order', { number: 7 })).toEqual(
      failed('The tool cannot be reached: its address is not allowed.'),
    )
    expect(await tryTool('web_search', { query: 'hotels' })).toEqual(failed('There is no such tool.'))
  })

  test('has the failure of an MCP server in its record, and can go on with another Agent', async () => {
    const workspaceId = await installation.newWorkspace()
    installation.newAgent({ slug: 'sales', system_prompt: 'You sell on {{date}}.', web_search_enabled: true })
    const tools = [
      { type: 'builtin', name: 'transfer_to_agent', agents: ['sales'] },
      { type: 'mcp', name: 'orders', url: 'http://127.0.0.1:65001/mcp' },
    ]
    const { address, peer } = await begin(workspaceId, installation.newAgent({ tools }))
    const { transfer } = given.at(-1)!
    expect(transfer!.targets).toContainEqual({ slug: 'sales', description: 'Front desk' })
    const parts = await transfer!.open('sales')
    expect(parts.config.system_prompt).toMatch(/^You sell on .+ 20\d\d\.$/)
    expect(parts.tools.map(({ name }) => name)).toEqual(['web_search'])
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    const { tool_calls } = await installation.records.listToolCalls(address)
    expect(tool_calls).toMatchObject([{ name: 'orders', outcome: 'failed', result: expect.stringContaining('not on') }])
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
