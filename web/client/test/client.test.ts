import { setTimeout as delay } from 'node:timers/promises'
import { jest } from '@jest/globals'
import type { ParlanceEvents } from '../src/client-events.js'
import { createClient } from '../src/create-client.js'
import { createFakeBrowser, denied } from './fake-browser.js'

const agentId = '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11'

const setUp = () => {
  const browser = createFakeBrowser()
  const minted: string[] = []
  const client = createClient(
    {
      agentId,
      apiOrigin: 'https://voice.example.com/',
      sessionToken: () => {
        minted.push(`awst_${minted.length}`)
        return minted.at(-1)!
      },
    },
    browser.parts,
  )
  const told: [keyof ParlanceEvents, unknown][] = []
  const names: (keyof ParlanceEvents)[] = [
    ...(['connectionState', 'session', 'transcript', 'agentSpeaking', 'error', 'disconnected', 'ending'] as const),
    ...(['interruption', 'toolCall', 'metrics', 'audioBlocked', 'alignment', 'userSpeaking', 'userSpeech'] as const),
  ]
  for (const name of names) client.on(name, (payload) => told.push([name, payload]))
  const toldOf = (name: keyof ParlanceEvents) => told.filter(([own]) => own === name).map(([, payload]) => payload)
  return { ...browser, client, minted, told, toldOf }
}

test.each(['front-desk', '', undefined, '0b1cf5c4'])('an agentId such as %p is refused: it must be a UUID', (id) => {
  const options = { agentId: id as string, sessionToken: () => 'x', apiOrigin: 'https://voice.example.com' }
  expect(() => createClient(options, createFakeBrowser().parts)).toThrow('agentId must be a UUID')
})

test.each([{ sessionToken: 'awst_x' }, { apiOrigin: 'voice.example.com' }])('%p is refused', (wrong) => {
  const options = { agentId, sessionToken: () => 'x', apiOrigin: 'https://voice.example.com', ...wrong }
  expect(() => createClient(options as never, createFakeBrowser().parts)).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})

test('audio is unlocked before anything is awaited, and the microphone asked for only then', async () => {
  const { client, calls } = setUp()
  const connecting = client.connect()
  expect(calls).toEqual(['unlocked'])
  await connecting
  expect(calls).toEqual(['unlocked', 'microphone asked'])
  await client.disconnect()
})

test('connecting goes through its states and tells of the session, with a fresh token each time', async () => {
  const { client, told, minted, sent, requests } = setUp()
  const session = await client.connect({ inputMode: 'automatic' })
  expect(told).toEqual([
    ['connectionState', 'requesting-microphone'],
    ['connectionState', 'connecting'],
    ['connectionState', 'connected'],
    ['session', session],
  ])
  expect(session).toMatchObject({ id: 'session-0', inputMode: 'automatic', textOnly: false, maxDurationSeconds: 600 })
  expect(sent).toEqual([{ event: 'client.ready' }])
  const [ice, start] = requests
  expect(ice).toMatchObject({ url: 'https://voice.example.com/v1/ice-servers', authorization: 'Bearer awst_0' })
  expect(start).toMatchObject({
    url: `https://voice.example.com/v1/agents/${agentId}/sessions`,
    body: { transport: 'webrtc', input_mode: 'automatic', client: { name: '@parlance/client' } },
  })
  await client.disconnect()
  await client.connect()
  expect(minted).toEqual(['awst_0', 'awst_1'])
  await client.disconnect()
})

test('text alone asks for no microphone', async () => {
  const { client, calls, toldOf } = setUp()
  await client.connect({ textOnly: true })
  expect(calls).not.toContain('microphone asked')
  expect(toldOf('connectionState')).toEqual(['connecting', 'connected'])
  expect(() => client.startPushToTalk()).toThrow('push-to-talk')
  await client.disconnect()
})

test('a denied microphone leaves a client that can connect again', async () => {
  const { client, fake, requests, toldOf, microphonesOn } = setUp()
  fake.microphone = denied
  await expect(client.connect()).rejects.toMatchObject({ code: 'microphone_denied' })
  expect(toldOf('error')).toEqual([expect.objectContaining({ code: 'microphone_denied' })])
  expect([client.connectionState, requests.length]).toEqual(['disconnected', 0])
  fake.microphone = async () => {}
  await client.connect()
  expect(microphonesOn()).toBe(1)
  expect(toldOf('disconnected')).toEqual([])
  await client.disconnect()
})

test('connecting twice is connecting once', async () => {
  const { client, links } = setUp()
  const [first, second] = await Promise.all([client.connect(), client.connect()])
  expect(first).toBe(second)
  expect(await client.connect()).toBe(first)
  expect(links).toHaveLength(1)
  await client.disconnect()
})

test('what is hung up while the user is asked for his microphone turns it off when he allows it', async () => {
  const { client, fake, requests, microphones, microphonesOn, toldOf } = setUp()
  let allow = () => {}
  fake.microphone = () =>
    new Promise((resolve) => {
      allow = resolve
    })
  const connecting = client.connect()
  await delay(1)
  const hungUp = client.disconnect()
  await expect(connecting).rejects.toMatchObject({ code: 'aborted' })
  await hungUp
  allow()
  await delay(1)
  expect([microphones.length, microphonesOn(), requests.length]).toEqual([1, 0, 0])
  expect([toldOf('error'), toldOf('disconnected'), client.connectionState]).toEqual([[], [], 'disconnected'])
})

test('what is hung up while the service starts it is ended there', async () => {
  const { client, fake, requests, links } = setUp()
  const { start } = fake
  let answer = () => {}
  fake.start = async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return start()
  }
  const connecting = client.connect()
  connecting.catch(() => {})
  await delay(1)
  void client.disconnect()
  fake.start = start
  const { id } = await client.connect()
  answer()
  await delay(1)
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  expect(links).toHaveLength(1)
  expect(client.session?.id).toBe(id)
  await client.disconnect()
})

test('a signal gives connecting up, before it began and while it goes on, and nothing afterwards', async () => {
  const { client, fake } = setUp()
  const controller = new AbortController()
  const { signal } = controller
  fake.ready = false
  const connecting = client.connect({ signal })
  await delay(1)
  controller.abort('too slow')
  await expect(connecting).rejects.toMatchObject({ code: 'aborted', cause: 'too slow' })
  await expect(client.connect({ signal })).rejects.toMatchObject({ code: 'aborted' })
  fake.ready = true
  const later = new AbortController()
  await client.connect({ signal: later.signal })
  later.abort()
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})

test.each([
  ['the user', 'user_disconnected', ({ client }: ReturnType<typeof setUp>) => void client.disconnect()],
  ['the page', 'user_disconnected', ({ leavePage }: ReturnType<typeof setUp>) => leavePage()],
  [
    'the service',
    'max_duration',
    ({ say }: ReturnType<typeof setUp>) =>
      say({ event: 'session.ended', reason: 'max_duration', end_reason: 'max_duration' }),
  ],
  ['the network', 'connection_lost', ({ links }: ReturnType<typeof setUp>) => links[0]!.listener.onGone()],
])('whatever %s ends is told of once, with the microphone off', async (_, reason, end) => {
  const all = setUp()
  const { client, microphonesOn, links, toldOf, say } = all
  await client.connect()
  client.on('disconnected', () => expect([microphonesOn(), links[0]!.closed]).toEqual([0, true]))
  end(all)
  await client.disconnect()
  say({ event: 'session.ended', reason: 'drained', end_reason: 'drained' }, links[0])
  links[0]!.listener.onGone()
  expect(toldOf('disconnected')).toEqual([{ reason, code: null, detail: expect.any(String) }])
  expect(toldOf('session')).toEqual([expect.anything(), null])
  expect([client.connectionState, client.session]).toEqual(['disconnected', null])
})

test('a session that fails tells of the error that ended it', async () => {
  const { client, say, toldOf } = setUp()
  await client.connect()
  say({ event: 'error', code: 'upstream_error', detail: 'No model.', retryable: true, request_id: 'r' })
  expect(toldOf('error')).toEqual([
    expect.objectContaining({ code: 'upstream_error', retryable: true, requestId: 'r' }),
  ])
  expect(client.connectionState).toBe('connected')
  say({ event: 'session.ended', reason: 'llm_error', end_reason: 'llm_error' })
  expect(toldOf('disconnected')).toEqual([{ reason: 'llm_error', code: 'upstream_error', detail: 'No model.' }])
})

test('nothing of an old session reaches the next one', async () => {
  const { client, say, links, toldOf } = setUp()
  await client.connect()
  const [old] = links
  void client.disconnect()
  await client.connect()
  const before = toldOf('connectionState').length
  say({ event: 'transcript', id: 'a', role: 'agent', text: 'late', final: true }, old)
  say({ event: 'session.ended', reason: 'drained', end_reason: 'drained' }, old)
  old!.listener.onCarried(false)
  old!.listener.onTrack({} as MediaStreamTrack)
  expect(toldOf('transcript')).toEqual([])
  expect(toldOf('connectionState')).toHaveLength(before)
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})

test('a session whose network comes back goes on', async () => {
  const { client, links, toldOf, requests } = setUp()
  await client.connect()
  links[0]!.listener.onCarried(false)
  links[0]!.listener.onCarried(true)
  links[0]!.listener.onCarried(false)
  expect(toldOf('connectionState').slice(2)).toEqual(['connected', 'reconnecting', 'connected', 'reconnecting'])
  expect(client.session).not.toBeNull()
  // Over a network that is gone the service cannot see that the link was closed.
  await client.disconnect()
  expect(requests.at(-1)).toMatchObject({ method: 'DELETE' })
})

test('a service that no longer answers is taken for away, and then for lost', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'performance'] })
  try {
    const { client, sent, say, toldOf, microphonesOn } = setUp()
    await client.connect()
    jest.advanceTimersByTime(5_000)
    say({ event: 'pong' })
    jest.advanceTimersByTime(5_000)
    expect(client.connectionState).toBe('connected')
    jest.advanceTimersByTime(5_000)
    expect(client.connectionState).toBe('reconnecting')
    expect(sent.filter(({ event }) => event === 'ping')).toHaveLength(3)
    jest.advanceTimersByTime(10_000)
    expect(toldOf('disconnected')).toEqual([expect.objectContaining({ reason: 'connection_lost' })])
    expect(microphonesOn()).toBe(0)
  } finally {
    jest.useRealTimers()
  }
})

test('a microphone that is unplugged gives way to the default one, or the session goes on without', async () => {
  const { client, fake, microphones, calls, toldOf } = setUp()
  await client.connect({ inputMode: 'automatic' })
  microphones[0]!.lose()
  await delay(1)
  expect(microphones.map(({ on }) => on)).toEqual([false, true])
  expect(calls).toContain('microphone replaced')
  fake.microphone = denied
  microphones[1]!.lose()
  await delay(1)
  expect(toldOf('error')).toEqual([expect.objectContaining({ code: 'microphone_lost' })])
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})

test('another microphone takes the place of the one that is on', async () => {
  const { client, microphones } = setUp()
  await client.connect()
  await client.setInputDevice('usb')
  expect(microphones.map(({ on }) => on)).toEqual([false, true])
  await client.disconnect()
  expect(microphones.map(({ on }) => on)).toEqual([false, false])
})

test('with a button to hold, the microphone is heard only while it is held', async () => {
  const { client, microphones, sent } = setUp()
  expect(() => client.startPushToTalk()).toThrow(expect.objectContaining({ code: 'not_connected' }))
  await client.connect()
  const [{ track }] = microphones as [(typeof microphones)[0]]
  const heard = [track.enabled]
  for (const step of ['startPushToTalk', 'commitPushToTalk', 'startPushToTalk', 'cancelPushToTalk'] as const) {
    client[step]()
    heard.push(track.enabled)
  }
  expect(heard).toEqual([false, true, false, true, false])
  expect(sent.slice(1).map(({ event }) => event)).toEqual(['ptt.start', 'ptt.commit', 'ptt.start', 'ptt.cancel'])
  await client.disconnect()
  await client.connect({ inputMode: 'automatic' })
  expect(microphones[1]!.track.enabled).toBe(true)
  expect(() => client.commitPushToTalk()).toThrow('push-to-talk')
  await client.disconnect()
})

test('who is muted is not heard, in the sessions that follow neither', async () => {
  const { client, microphones, sent } = setUp()
  await client.connect({ inputMode: 'automatic' })
  client.mute()
  expect(microphones[0]!.track.enabled).toBe(false)
  await client.disconnect()
  await client.connect({ inputMode: 'automatic' })
  expect(microphones[1]!.track.enabled).toBe(false)
  client.unmute()
  expect(microphones[1]!.track.enabled).toBe(true)
  expect(sent.filter(({ event }) => event === 'mute').map(({ muted }) => muted)).toEqual([true, true, false])
  await client.disconnect()
})

test('tools answer what the Agent calls; one that throws, and one that is not there, answer with an error', async () => {
  const { client, say, sent, toldOf } = setUp()
  await client.connect()
  const call = (name: string) => {
    say({ event: 'tool.call', tool_call_id: name, name, arguments: { page: 2 } })
    return delay(1)
  }
  const takeBack = client.registerTool('open_page', async (input) => ({ opened: input }))
  client.registerTool('broken', () => {
    throw new Error('no such page')
  })
  await call('open_page')
  await call('broken')
  takeBack()
  await call('open_page')
  expect(sent.slice(1)).toEqual([
    { event: 'tool.result', tool_call_id: 'open_page', result: { opened: { page: 2 } }, is_error: false },
    { event: 'tool.result', tool_call_id: 'broken', result: 'no such page', is_error: true },
    { event: 'tool.result', tool_call_id: 'open_page', result: expect.stringContaining('no tool'), is_error: true },
  ])
  expect(toldOf('toolCall')[0]).toEqual({ tool_call_id: 'open_page', name: 'open_page', arguments: { page: 2 } })
  await client.disconnect()
})

test('what the service says is told under the names of the contract', async () => {
  const { client, say, told } = setUp()
  await client.connect()
  const from = told.length
  const message = { id: 'm', role: 'agent', text: 'Hello', final: true }
  const alignment = { id: 'm', speech_id: 'm', words: [], visemes: [{ id: 'E', start_ms: 0, end_ms: 40 }] }
  say({ event: 'agent.state', state: 'speaking' })
  say({ event: 'transcript', ...message })
  say({ event: 'alignment', ...alignment })
  say({ event: 'interruption', id: 'm', transcript_id: 'm', text_heard: 'Hel' })
  say({ event: 'user.speech', started: true })
  say({ event: 'user.speech', started: false, recognized: false })
  say({ event: 'agent.state', state: 'listening' })
  say({ event: 'session.ending', reason: 'drained', deadline_ms: 5 })
  say({ event: 'of a later version' })
  say([])
  expect(told.slice(from)).toEqual([
    ['agentSpeaking', true],
    ['transcript', message],
    ['alignment', alignment],
    ['interruption', { id: 'm', transcript_id: 'm', text_heard: 'Hel' }],
    ['userSpeaking', true],
    ['userSpeech', { started: true }],
    ['userSpeaking', false],
    ['userSpeech', { started: false, recognized: false }],
    ['agentSpeaking', false],
    ['ending', { reason: 'drained', deadline_ms: 5 }],
  ])
  await client.disconnect()
})

test.each([
  [
    401,
    { code: 'session_token_expired', detail: 'Mint another.', retryable: false, request_id: 'r-1' },
    'session_token_expired',
  ],
  [503, { code: 'capacity_exhausted', detail: 'Full.', retryable: true, request_id: 'r-1' }, 'capacity_exhausted'],
  [502, '<html>Bad gateway</html>', 'unexpected_answer'],
])('an answer of %p to a start is told as what it is', async (status, body, code) => {
  const { client, fake, microphonesOn } = setUp()
  fake.start = async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  const error = await client.connect().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ParlanceError', code })
  if (typeof body !== 'string') expect(error).toMatchObject({ retryable: body.retryable, requestId: 'r-1' })
  expect(microphonesOn()).toBe(0)
})

test('audio that the browser blocks is told of, until it is resumed', async () => {
  const { client, fake, links, toldOf } = setUp()
  fake.audible = false
  await client.connect()
  links[0]!.listener.onTrack({} as MediaStreamTrack)
  await delay(1)
  await client.resumeAudio()
  expect(toldOf('audioBlocked')).toEqual([true, false])
  await client.disconnect()
})

test('a listener is told until it unsubscribes, and one that hangs up on being connected may', async () => {
  const { client, toldOf } = setUp()
  const off = client.on('connectionState', (state) => {
    if (state === 'connected') void client.disconnect()
  })
  await client.connect()
  await client.disconnect()
  expect(client.connectionState).toBe('disconnected')
  expect(toldOf('disconnected')).toHaveLength(1)
  off()
  await client.connect()
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})
