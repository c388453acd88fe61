import { setTimeout as delay } from 'node:timers/promises'
import { maxUnconnectedStartsPerMinute } from '@parlance/clients/session-registry'
import type { Voice } from '@parlance/contracts'
import { connectStream } from '../services/gateway/test/stream-client.js'
import { type Answer, type Api, createApi, expectError, tokenOf } from './api.js'
import { outcomesOf, speakAtOnce, streamAtOnce } from './bursts.js'
import { describePlatforms, newKey, type PlatformSuite } from './platforms.js'
import { publishAgent } from './publish-agent.js'

const bursts: PlatformSuite = (platform) => {
  let api: Api
  let voice: Voice

  beforeAll(async () => {
    api = createApi(platform().urls[0], (await newKey(platform())).authorization)
    voice = await api.voice()
  })

  test('twenty texts of one sentence are all spoken, also by a platform that has just started', async () => {
    expect(await outcomesOf(() => speakAtOnce(api, voice.id, 20), 200)).toEqual(Array(20).fill(200))
  })

  test('thirty sockets that speak a sentence each are all served', async () => {
    const burst = () => streamAtOnce(api, platform().urls[0], voice.id, 30)
    expect(await outcomesOf(burst, 'done')).toEqual(Array(30).fill('done'))
  })
}

const acrossGateways: PlatformSuite = (platform) => {
  let api: Api
  let voice: Voice

  beforeAll(async () => {
    api = createApi(platform().urls[0], (await newKey(platform())).authorization)
    voice = await api.voice()
  })

  test('of twenty connections with one token exactly one is accepted', async () => {
    const { urls } = platform()
    const { body } = await api.post('/v1/tts/stream-tokens', {})
    const racers = Array.from({ length: 20 }, (_, n) => connectStream(urls[n % urls.length]!, body.token))
    const outcomes = await Promise.all(
      racers.map(async (client) => {
        const first = await client.find(() => client.messages[0])
        return first.event === 'error' ? first.code : first.event
      }),
    )
    await Promise.all(racers.map((client) => client.close()))
    expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'stream_token_invalid')).toHaveLength(19)
  })

  test('a workspace that starts conversations without connecting is limited, and other workspaces are not', async () => {
    const newWorkspace = async () => {
      const { workspace, authorization } = await newKey(platform())
      await platform().auth.updateWorkspace({ workspace_id: workspace.id, max_concurrent_sessions: 0 })
      const apis = platform().urls.map((url) => createApi(url, authorization))
      return { apis, agentId: await publishAgent(apis[0]!, { voice }) }
    }
    const start = async (of: Api, agentId: string): Promise<Answer> => {
      const token = tokenOf(await of.post(`/v1/agents/${agentId}/session-tokens`))
      const headers = { authorization: `Bearer ${token}` }
      return of.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, headers)
    }
    const { apis, agentId } = await newWorkspace()
    const starts = await Promise.all(
      Array.from({ length: 2 * maxUnconnectedStartsPerMinute }, (_, n) => start(apis[n % apis.length]!, agentId)),
    )
    expect(new Set(starts.map(({ status }) => status))).toEqual(new Set([201]))
    let refused = starts[0]!
    while (refused.status === 201) {
      await delay(500)
      refused = await start(apis[0]!, agentId)
    }
    for (const answer of [refused, await start(apis.at(-1)!, agentId)]) {
      expectError(answer, 429, 'rate_limited')
      const waitSeconds = Number(answer.headers.get('retry-after'))
      // Until the oldest start is a minute old, and a little more.
      expect(waitSeconds).toBeGreaterThanOrEqual(1)
      expect(waitSeconds).toBeLessThanOrEqual(70)
    }
    const other = await newWorkspace()
    expect((await start(other.apis[0]!, other.agentId)).status).toBe(201)
  })
}

describePlatforms('a burst', bursts, { apart: acrossGateways })
