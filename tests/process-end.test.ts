import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithPrograms, freePort, startStandalone } from '@parlance/testing'
import { type Api, createApi } from './api.js'
import { eventually } from './eventually.js'
import { newKey, startApart } from './platforms.js'
import { connectSession, type SessionPeer } from './session-peer.js'

const greeting = 'Welcome to the front desk of the house by the sea. How may I help you on this fine day?'
/** It takes several times as long to speak as its first words. */
const longGreeting = `${greeting} You may ask me for a table, for a room with a view, or for the time of the next boat to the island.`
/** 3 s of audio. What was played is stored once a second. */
const firstWordsBytes = 3 * 48_000

const talk = async (api: Api, gateway: string, firstMessage: string) => {
  const voice = await api.voice()
  const { body: agent } = await api.post('/v1/agents', {
    slug: `agent-${randomUUID().slice(0, 8)}`,
    display_name: 'Front desk',
    voice_id: voice.id,
    llm_provider: 'builtin',
    llm_model: 'rules',
    first_message: firstMessage,
    voice_config: { tts_variant: voice.variants[0]!.id },
  })
  expect((await api.post(`/v1/agents/${agent.id}/publish`)).status).toBe(201)
  const { token } = (await api.post(`/v1/agents/${agent.id}/session-tokens`)).body
  const started = await api.post(
    `/v1/agents/${agent.id}/sessions`,
    { transport: 'websocket' },
    { authorization: `Bearer ${token}` },
  )
  expect(started.status).toBe(201)
  const url = `${gateway.replace('http', 'ws')}${new URL(started.body.websocket_url).pathname}`
  const peer = await connectSession(url, token)
  peer.send({ event: 'client.ready' })
  return { peer, sessionId: started.body.session_id as string }
}

/** While the greeting is spoken. */
const talkOfGreeting = async (api: Api, gateway: string) => {
  const talked = await talk(api, gateway, greeting)
  await talked.peer.event('agent.state', ({ state }) => state === 'speaking')
  return talked
}

/** While the greeting is spoken, when the first words of it are stored. */
const talkOfLongGreeting = async (api: Api, gateway: string) => {
  const talked = await talk(api, gateway, longGreeting)
  await talked.peer.event('agent.state', ({ state }) => state === 'speaking')
  await eventually(() => talked.peer.audioBytes() >= firstWordsBytes || undefined)
  return talked
}

const expectSpokenSoFar = (transcript: { role: string; text: string; interrupted: boolean }[]) => {
  expect(transcript).toHaveLength(1)
  expect(transcript[0]).toMatchObject({ role: 'agent', interrupted: true })
  const { text } = transcript[0]!
  expect(text.split(' ').length).toBeGreaterThan(1)
  expect(text.length).toBeLessThan(longGreeting.length)
  expect(longGreeting.startsWith(text)).toBe(true)
}

/** After a greeting, a question and its answer. */
const talkOfTime = async (api: Api, gateway: string) => {
  const talked = await talk(api, gateway, 'Hi!')
  const isFinal = (text: RegExp) => (event: { text: string; final: boolean }) => event.final && text.test(event.text)
  await talked.peer.event('transcript', isFinal(/^Hi!$/))
  talked.peer.send({ event: 'text.send', id: randomUUID(), text: 'What is two plus six?' })
  const { text } = await talked.peer.event('transcript', isFinal(/8/))
  const messages = ['agent: Hi!', 'user: What is two plus six?', `agent: ${text}`]
  await eventually(async () => {
    const { body } = await api.get(`/v1/agent-sessions/${talked.sessionId}`)
    return messagesOf(body).length === messages.length || undefined
  })
  return { ...talked, messages }
}

/** The reply in progress when the signal came was spoken to its end, between the two events. */
const expectDrained = async (peer: SessionPeer) => {
  expect(await peer.closed).toBe(1000)
  const last = peer.events.filter(
    (event) => /^session\.end/.test(event.event) || (event.event === 'transcript' && event.final),
  )
  expect(last).toMatchObject([
    { event: 'session.ending', reason: 'drained' },
    { event: 'transcript', role: 'agent', text: greeting },
    { event: 'session.ended', reason: 'drained', end_reason: 'drained' },
  ])
  expect(last[1]).not.toHaveProperty('interrupted')
}

const record = async (api: Api, sessionId: string, status: string) =>
  eventually(async () => {
    const { status: code, body } = await api.get(`/v1/agent-sessions/${sessionId}`)
    return code === 200 && body.status === status ? body : undefined
  })

const messagesOf = ({ transcript }: { transcript: { role: string; text: string }[] }): string[] =>
  transcript.map(({ role, text }) => `${role}: ${text}`)

const exitOf = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}

describe('the one process of npm start', () => {
  let folder: string
  let url: string
  let parlance: ReturnType<typeof startStandalone>
  let api: Api

  const start = async () => {
    parlance = startStandalone(folder, Number(new URL(url).port), { STT_PROVIDER: 'none' })
    api = createApi(url, (await parlance.serving).headers.authorization)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-process-end-'))
    await chmod(folder, 0o755)
    url = `http://127.0.0.1:${await freePort()}`
    await start()
  })
  afterAll(async () => {
    await parlance.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('announces the end to a conversation at once, lets the reply in progress finish, and ends with it', async () => {
    const { peer, sessionId } = await talkOfGreeting(api, url)
    const ended = parlance.stop('SIGTERM')
    await expectDrained(peer)
    expect((await ended).code).toBe(0)
    await start()
    const ofIt = await record(api, sessionId, 'ended')
    expect(ofIt.end_reason).toBe('drained')
    expect(messagesOf(ofIt)).toEqual([`agent: ${greeting}`])
  })

  test('leaves the final messages, and the words of the reply in progress, in the records of conversations when it is killed', async () => {
    const [answered, speaking] = [await talkOfTime(api, url), await talkOfLongGreeting(api, url)]
    await parlance.stop('SIGKILL')
    await start()
    const ofAnswered = await record(api, answered.sessionId, 'failed')
    expect(ofAnswered).toMatchObject({ end_reason: 'internal_error', error: { code: 'internal_error' } })
    expect(messagesOf(ofAnswered)).toEqual(answered.messages)
    expectSpokenSoFar((await record(api, speaking.sessionId, 'failed')).transcript)
  })
})

describeWithPrograms(['nats', 'redis', 'postgres'], 'services that are processes of their own', () => {
  let platform: Awaited<ReturnType<typeof startApart>>
  let api: Api

  beforeAll(async () => {
    platform = await startApart()
    const { authorization } = await newKey(platform)
    api = createApi(platform.urls[0], authorization)
  })
  afterAll(() => platform?.stop())

  test('a gateway that stops has its conversations drained, and the reply in progress ends', async () => {
    const { peer, sessionId } = await talkOfGreeting(api, platform.urls[1]!)
    const exit = exitOf(platform.processes.gateways[1]!, 'SIGTERM')
    await expectDrained(peer)
    expect(await exit).toBe(0)
    expect(await record(api, sessionId, 'ended')).toMatchObject({ end_reason: 'drained' })
  })

  test('the final messages are in the record of a conversation whose instance was killed', async () => {
    const { sessionId, messages } = await talkOfTime(api, platform.urls[0])
    const another = await platform.processes.startSessions()
    await exitOf(platform.processes.sessions, 'SIGKILL')
    const ofIt = await record(api, sessionId, 'failed')
    expect(ofIt).toMatchObject({ end_reason: 'internal_error', error: { code: 'internal_error' } })
    expect(messagesOf(ofIt)).toEqual(messages)

    // The remaining instance drains as well, and announces that to its conversation at once.
    const { peer } = await talkOfGreeting(api, platform.urls[0])
    const exit = exitOf(another, 'SIGTERM')
    await expectDrained(peer)
    expect(await exit).toBe(0)
  })
})
