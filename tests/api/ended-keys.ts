import { randomUUID } from 'node:crypto'
import type { Voice } from '@parlance/contracts'
import { auth } from '@parlance/service-auth'
import { connectStream, type StreamClient } from '../../services/gateway/test/stream-client.js'
import { type Api, createApi, expectError, tokenOf } from '../api.js'
import { newKey, onPlatform } from '../platforms.js'
import { connectSession, type SessionPeer } from '../session-peer.js'

export const endedKeys = onPlatform('what a key has opened', (platform) => {
  let voice: Voice
  const sockets: { terminate(): void }[] = []

  beforeAll(async () => {
    voice = await createApi(platform().urls[0], (await newKey(platform())).authorization).voice()
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate()
  })

  const revoke = async ({ key, workspace }: NewKey) => {
    await platform().auth.revokeKey({ workspace_id: workspace.id, key_id: key.id })
  }
  const suspend = async ({ workspace }: NewKey) => {
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, suspended: true })
  }
  /** Revokes the key without an announcement. */
  const revokeUnannounced = async ({ key }: NewKey) => {
    const database = await platform().openDatabase(auth.databases![0]!)
    await database.query('update api_keys set revoked_at = now() where id = $1', [key.id])
    await database.close()
  }
  const ways = [
    ['a revocation', revoke, 'unauthorized', 4401],
    ['a suspension', suspend, 'organization_suspended', 4403],
  ] as const

  const open = async () => {
    const made = await newKey(platform())
    return { ...made, api: createApi(platform().urls[0], made.authorization) }
  }
  const mintStreamToken = async (api: Api): Promise<string> => tokenOf(await api.post('/v1/tts/stream-tokens', {}))
  const streamOn = (url: string, token: string): StreamClient => {
    const client = connectStream(url, token)
    sockets.push(client.socket)
    return client
  }
  const startSpeaking = (client: StreamClient) => {
    client.send({ event: 'start', voice_id: voice.id, speed: 0.5 })
    for (let n = 0; n < 60; n++) client.send({ event: 'text', text: 'There is a lot to say about this, and more. ' })
  }

  const createAgent = async (api: Api): Promise<string> => {
    const { body } = await api.post('/v1/agents', {
      slug: `agent-${randomUUID().slice(0, 8)}`,
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'builtin',
      llm_model: 'rules',
      first_message: 'There is a lot to say about this, and more. '.repeat(8),
    })
    expect((await api.post(`/v1/agents/${body.id}/publish`)).status).toBe(201)
    return body.id
  }
  const mintSessionToken = async (api: Api, agentId: string): Promise<string> =>
    tokenOf(await api.post(`/v1/agents/${agentId}/session-tokens`))
  const startSession = (api: Api, agentId: string, token: string) =>
    api.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { authorization: `Bearer ${token}` })
  /** A conversation in which the Agent is speaking, through the last gateway. */
  const talk = async (api: Api): Promise<{ peer: SessionPeer; sessionId: string }> => {
    const agentId = await createAgent(api)
    const token = await mintSessionToken(api, agentId)
    const { body } = await startSession(api, agentId, token)
    const gateway = platform().urls.at(-1)!.replace('http', 'ws')
    const peer = await connectSession(`${gateway}${new URL(body.websocket_url).pathname}`, token)
    sockets.push(peer.socket)
    peer.send({ event: 'client.ready' })
    await peer.event('agent.state', ({ state }) => state === 'speaking')
    return { peer, sessionId: body.session_id }
  }

  test.each(ways)('opens nothing after %s: its tokens are refused', async (_what, end, code, closeCode) => {
    const opened = await open()
    const agentId = await createAgent(opened.api)
    const sessionToken = await mintSessionToken(opened.api, agentId)
    const streamTokens = await Promise.all(platform().urls.map(() => mintStreamToken(opened.api)))
    await end(opened)
    for (const [index, url] of platform().urls.entries()) {
      const client = streamOn(url, streamTokens[index]!)
      expect((await client.closed).code).toBe(closeCode)
      expect(client.messages).toEqual([expect.objectContaining({ event: 'error', code })])
    }
    const status = closeCode - 4_000
    expectError(await startSession(opened.api, agentId, sessionToken), status, code)
    const headers = { authorization: `Bearer ${sessionToken}` }
    expectError(await opened.api.get('/v1/ice-servers', headers), status, code)
  })

  const streamsEnd = async (end: (opened: NewKey) => Promise<void>, code: string, closeCode: number) => {
    const [opened, other] = [await open(), await open()]
    const clients = await Promise.all(
      platform().urls.map(async (url) => streamOn(url, await mintStreamToken(opened.api))),
    )
    const unaffected = streamOn(platform().urls[0], await mintStreamToken(other.api))
    for (const client of [...clients, unaffected]) {
      await client.next('ready')
      startSpeaking(client)
      await client.next('audio')
    }
    await end(opened)
    for (const client of clients) {
      expect((await client.closed).code).toBe(closeCode)
      expect(client.messages.at(-1)).toMatchObject({ event: 'error', code })
    }
    unaffected.send({ event: 'cancel' })
    await unaffected.next('cancelled')
  }

  test.each(ways)('is sent why, and closed, when %s ends its streams in the middle of speech', (_what, end, ...codes) =>
    streamsEnd(end, ...codes),
  )

  test.each(ways)('ends its conversations with `api_ended` after %s', async (_what, end) => {
    const opened = await open()
    const { peer } = await talk(opened.api)
    await end(opened)
    expect(await peer.event('session.ending')).toMatchObject({ reason: 'api_ended' })
    expect(await peer.event('session.ended')).toMatchObject({ reason: 'api_ended' })
    await peer.closed
  })

  test('also ends when the announcement of the revocation is lost', async () => {
    await streamsEnd(revokeUnannounced, 'unauthorized', 4401)
    const opened = await open()
    const { peer } = await talk(opened.api)
    await revokeUnannounced(opened)
    expect(await peer.event('session.ending')).toMatchObject({ reason: 'api_ended' })
    await peer.closed
  })
})

type NewKey = Awaited<ReturnType<typeof newKey>>
