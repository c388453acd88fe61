/** The first turn of a conversation, whose recognizer must have started by then, beside its later turns. */
import type { SessionServerEvent } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { spoken } from '../services/sessions/test/spoken.js'
import { createApi } from './api.js'
import { openMicrophone } from './microphone.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

const laterTurns = 3
/** A turn takes half a second. A recognizer that starts late adds seconds. */
const maxRatio = 2.5

describeWithPrograms(['flite', 'pocketsphinx'], 'the first turn of a conversation', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await startTogether({ STT_PROVIDER: 'pocketsphinx' })
  }, 60_000)
  afterAll(() => platform?.stop(), 60_000)

  const connect = async () => {
    const { authorization } = await newKey(platform)
    const api = createApi(platform.urls[0], authorization)
    const agentId = await publishAgent(api, { voice: await api.voice() })
    const { body: minted } = await api.post(`/v1/agents/${agentId}/session-tokens`)
    const { body: session } = await api.post(
      `/v1/agents/${agentId}/sessions`,
      { transport: 'websocket', input_mode: 'automatic' },
      { authorization: `Bearer ${minted.token}` },
    )
    const peer = await connectSession(session.websocket_url, minted.token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return peer
  }

  test('is answered about as soon as later turns', async () => {
    const peer = await connect()
    const all = <Name extends SessionServerEvent['event']>(name: Name) =>
      peer.events.filter((event): event is Extract<SessionServerEvent, { event: Name }> => event.event === name)
    const recording = await spoken('Please tell me the time.')

    const durationsMs: number[] = []
    for (let turn = 0; turn <= laterTurns; turn++) {
      const microphone = openMicrophone(recording, peer.sendAudio)
      await peer.event('metrics', () => all('metrics').length > turn)
      durationsMs.push(all('metrics')[turn]!.voice_to_voice_ms!)
      await peer.event('agent.state', () => all('agent.state').at(-1)!.state === 'listening')
      microphone.off()
    }
    peer.socket.close()
    const [first, ...later] = durationsMs
    const median = [...later].sort((a, b) => a - b)[laterTurns >> 1]!
    console.info(`first turn ${first} ms, later turns ${later.join(', ')} ms`)
    expect(first! / median).toBeLessThan(maxRatio)
  }, 90_000)
})
