/** A user speaks to an Agent over a WebSocket: real recognition, a stand-in for the language model, real speech. */
import type { SessionRecord } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { spoken } from '../services/sessions/test/spoken.js'
import {
  type ChatCompletionsStandIn,
  openChatCompletionsStandIn,
} from '../services/sessions/test/stand-ins/chat-completions-stand-in.js'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { openMicrophone } from './microphone.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { decodeRecording } from './recorded-channels.js'
import { connectSession } from './session-peer.js'
import { shareRecognized } from './share-recognized.js'

const question = 'Please tell me a very long story.'
const reply = 'I know only a short one.'

describeWithPrograms(['flite', 'pocketsphinx', 'ffmpeg'], 'a spoken conversation over a WebSocket', () => {
  let platform: TestPlatform
  let model: ChatCompletionsStandIn

  beforeAll(async () => {
    model = await openChatCompletionsStandIn({ text: reply })
    platform = await startTogether({ LLM_COMPATIBLE_URL: model.baseUrl, STT_PROVIDER: 'pocketsphinx' })
  })
  afterAll(async () => {
    await platform?.stop()
    await model?.close()
  })

  test('is transcribed, answered in speech, and recorded, with each side on its channel where the transcript says', async () => {
    const { authorization, workspace } = await newKey(platform)
    const api = createApi(platform.urls[0], authorization)
    const voice = await api.voice()
    const { body: agent } = await api.post('/v1/agents', {
      slug: 'front-desk',
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
    })
    expect((await api.post(`/v1/agents/${agent.id}/publish`)).status).toBe(201)
    await platform.recordings.putSettings({
      ...{ workspace_id: workspace.id, agent_id: agent.id },
      settings: { enabled: true, consent_required: true, retention_days: 1 },
    })
    const { body: minted } = await api.post(`/v1/agents/${agent.id}/session-tokens`, {
      metadata: { recording_consent: true },
    })
    const started = await api.post(
      `/v1/agents/${agent.id}/sessions`,
      { transport: 'websocket', input_mode: 'automatic' },
      { authorization: `Bearer ${minted.token}` },
    )
    expect(started.status).toBe(201)
    const recording = await spoken(question)
    const peer = await connectSession(started.body.websocket_url, minted.token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    const microphone = openMicrophone(recording, peer.sendAudio)

    const asked = await peer.event('transcript', ({ role, final }) => role === 'user' && final)
    expect(shareRecognized(question, asked.text)).toBeGreaterThanOrEqual(0.5)
    const answered = await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    expect(answered.text).toBe(reply)
    // All audio of the reply has arrived by now: at least a second, louder than noise.
    expect(peer.audioBytes()).toBeGreaterThan(2 * 24_000)
    expect(peer.loudest()).toBeGreaterThan(0.02)
    microphone.off()

    peer.socket.close()
    await peer.closed
    const { body } = await eventually(async () => {
      const answer = await api.get(`/v1/agent-sessions/${started.body.session_id}`)
      return answer.body.status === 'ended' ? answer : undefined
    })
    const record = body as SessionRecord
    expect(record).toMatchObject({ transport: 'websocket', end_reason: 'user_disconnected', error: null })
    expect(record.transcript).toMatchObject([
      { role: 'user', text: asked.text },
      { role: 'agent', text: reply },
    ])
    expect(record.usage.stt_seconds).toBeGreaterThan(1)

    const address = { workspace_id: workspace.id, session_id: record.id }
    const { recording: stored } = await eventually(async () => {
      const found = await platform.recordings.getRecording(address)
      return found.recording?.state === 'stored' ? found : undefined
    })
    const parts: Uint8Array[] = []
    const range = { start: 0, end: stored!.size_bytes! }
    await platform.recordings.readRecording({ ...address, ...range })(
      ({ data }) => void parts.push(data),
      new AbortController().signal,
    )
    const audio = decodeRecording(Buffer.concat(parts))
    expect(Math.abs(audio.durationMs - stored!.duration_ms!)).toBeLessThan(20)
    const [askedMs, answeredMs] = stored!.positions.map(({ start_ms }) => start_ms) as [number, number]
    expect(stored!.positions.map(({ message_id }) => message_id)).toEqual(record.transcript.map(({ id }) => id))
    expect(Math.abs(audio.user.onsetMs() - askedMs)).toBeLessThan(500)
    expect(Math.abs(audio.agent.onsetMs() - answeredMs)).toBeLessThan(200)
    // Each channel is loud while its side speaks, and the other is at least 40 dB below.
    const [whileAsked, whileAnswered] = [
      [askedMs + 200, Math.min(askedMs + 1_200, answeredMs)],
      [answeredMs + 100, answeredMs + 1_100],
    ] as const
    expect(audio.user.loudness(...whileAsked)).toBeGreaterThan(0.01)
    expect(audio.agent.loudness(...whileAsked)).toBeLessThan(audio.user.loudness(...whileAsked) / 100)
    expect(audio.agent.loudness(...whileAnswered)).toBeGreaterThan(0.01)
    expect(audio.user.loudness(...whileAnswered)).toBeLessThan(audio.agent.loudness(...whileAnswered) / 100)
  })
})
