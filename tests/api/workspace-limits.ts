import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Voice, WorkspaceLimits } from '@parlance/contracts'
import { connectStream, type StreamClient } from '../../services/gateway/test/stream-client.js'
import { type Answer, type Api, createApi, expectError, tokenOf } from '../api.js'
import { eventually } from '../eventually.js'
import { newKey, onPlatform } from '../platforms.js'
import { connectSession } from '../session-peer.js'

export const workspaceLimits = onPlatform('a workspace', (platform) => {
  let voice: Voice
  const sockets: { terminate(): void }[] = []

  beforeAll(async () => {
    voice = await createApi(platform().urls[0], (await newKey(platform())).authorization).voice()
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate()
  })

  const newApi = async (limits: Partial<WorkspaceLimits>) => {
    const { workspace, authorization } = await newKey(platform())
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, ...limits })
    return { workspaceId: workspace.id, apis: platform().urls.map((url) => createApi(url, authorization)) }
  }
  const openStream = async (api: Api, url: string): Promise<StreamClient> => {
    const { body } = await api.post('/v1/tts/stream-tokens', {})
    const client = connectStream(url, body.token)
    sockets.push(client.socket)
    return client
  }
  const createAgent = async (api: Api): Promise<string> => {
    const { body } = await api.post('/v1/agents', {
      slug: `agent-${randomUUID().slice(0, 8)}`,
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'builtin',
      llm_model: 'rules',
    })
    expect((await api.post(`/v1/agents/${body.id}/publish`)).status).toBe(201)
    return body.id
  }
  const mint = async (api: Api, agentId: string): Promise<string> =>
    tokenOf(await api.post(`/v1/agents/${agentId}/session-tokens`))
  const startWith = (api: Api, agentId: string, token: string): Promise<Answer> =>
    api.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { authorization: `Bearer ${token}` })
  const start = async (api: Api, agentId: string) => startWith(api, agentId, await mint(api, agentId))

  test('has as many streams as its limit over all gateways, and another when one has ended', async () => {
    const { apis } = await newApi({ max_concurrent_streams: 2 })
    const urls = platform().urls
    const streams = [await openStream(apis[0]!, urls[0]), await openStream(apis[0]!, urls.at(-1)!)]
    for (const stream of streams) await stream.next('ready')
    for (const url of urls) {
      const refused = await openStream(apis[0]!, url)
      expect((await refused.closed).code).toBe(4429)
      expect(refused.messages).toEqual([
        expect.objectContaining({ event: 'error', code: 'concurrency_limited', retryable: true }),
      ])
    }
    await streams[0]!.close()
    await eventually(async () => {
      const stream = await openStream(apis[0]!, urls.at(-1)!)
      return Promise.race([stream.next('ready'), stream.closed.then(() => undefined)])
    })
  })

  test('has as many conversations as its limit with all its Agents, and another when one has ended', async () => {
    const { apis } = await newApi({ max_concurrent_sessions: 2 })
    const [first, last] = [apis[0]!, apis.at(-1)!]
    const agentIds = [await createAgent(first), await createAgent(first)]
    const tokens = [await mint(first, agentIds[0]!), await mint(first, agentIds[1]!)]
    for (const [index, token] of tokens.entries()) {
      const { status, body } = await startWith(first, agentIds[index]!, token)
      expect(status).toBe(201)
      const peer = await connectSession(`${body.websocket_url}`, token)
      sockets.push(peer.socket)
    }
    const token = await mint(last, agentIds[0]!)
    const refused = await startWith(last, agentIds[0]!, token)
    expectError(refused, 429, 'concurrency_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    sockets[0]!.terminate()
    await eventually(async () => ((await startWith(last, agentIds[0]!, token)).status === 201 ? true : undefined))
  })

  test('gets the slot of a conversation that never connected back', async () => {
    const { apis } = await newApi({ max_concurrent_sessions: 1 })
    const agentId = await createAgent(apis[0]!)
    const { body } = await start(apis[0]!, agentId)
    expectError(await start(apis[0]!, agentId), 429, 'concurrency_limited')
    while ((await start(apis.at(-1)!, agentId)).status !== 201) await delay(100)
    const { body: record } = await apis[0]!.get(`/v1/agent-sessions/${body.session_id}`)
    expect(record).toMatchObject({ status: 'ended', end_reason: 'connection_lost', started_at: null })
  })
})
