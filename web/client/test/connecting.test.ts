import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '../src/create-client.js'
import { createScriptedConnection, denied } from '../src/testing.js'
import { agentId, setUp } from './set-up-client.js'

test.each(['front-desk', '', undefined, '0b1cf5c4'])('an agentId such as %p is refused: it must be a UUID', (id) => {
  const options = { agentId: id as string, sessionToken: () => 'x', apiOrigin: 'https://voice.example.com' }
  expect(() => createClient(options, createScriptedConnection().parts)).toThrow('agentId must be a UUID')
})

test.each([{ sessionToken: 'awst_x' }, { apiOrigin: 'voice.example.com' }, { traceparent: '00-1-1-01' }])(
  '%p is refused',
  (wrong) => {
    const options = { agentId, sessionToken: () => 'x', apiOrigin: 'https://voice.example.com', ...wrong }
    expect(() => createClient(options as never, createScriptedConnection().parts)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    )
  },
)

test('audio is unlocked before anything is awaited, and the microphone is opened afterwards', async () => {
  const { client, calls } = setUp()
  const connecting = client.connect()
  expect(calls).toEqual(['unlocked'])
  await connecting
  expect(calls.slice(0, 2)).toEqual(['unlocked', 'microphone opened'])
  await client.disconnect()
})

test('the connection has the audio context that was unlocked', async () => {
  const { client, audioContexts, audioContext } = setUp()
  await client.connect()
  expect(audioContexts).toEqual([audioContext])
  await client.disconnect()
})

test('connecting goes through its states and emits the session, with a fresh token each time', async () => {
  const { client, emitted, minted, sent, requests } = setUp()
  const session = await client.connect({ inputMode: 'automatic' })
  expect(emitted).toEqual([
    ['connectionState', 'requesting-microphone'],
    ['connectionState', 'connecting'],
    ['connectionState', 'connected'],
    ['session', session],
  ])
  expect(session).toMatchObject({ id: 'session-0', inputMode: 'automatic', textOnly: false, maxDurationSeconds: 600 })
  expect(sent).toEqual([{ event: 'client.ready' }])
  const [ice, start] = requests
  expect(ice).toMatchObject({
    url: 'https://voice.example.com/v1/ice-servers',
    headers: { authorization: 'Bearer awst_0' },
  })
  expect(start).toMatchObject({
    url: `https://voice.example.com/v1/agents/${agentId}/sessions`,
    body: { transport: 'webrtc', input_mode: 'automatic' },
  })
  await client.disconnect()
  await client.connect()
  expect(minted).toEqual(['awst_0', 'awst_1'])
  await client.disconnect()
})

test('a session is started with the name and the version of the package, and the time zone of the browser', async () => {
  const { client, requests } = setUp()
  await client.connect()
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(requests[1]).toMatchObject({
    body: { client: { name, version, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone } },
  })
  await client.disconnect()
})

test('each request of a session continues the trace that the page returns for it, and has no trace without one', async () => {
  const pageTraces: (string | undefined)[] = []
  let nextTrace: string | undefined
  const { client, requests } = setUp({
    traceparent: () => {
      pageTraces.push(nextTrace)
      return nextTrace
    },
  })
  for (const traceparent of [
    `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'b'.repeat(32)}-${'2'.repeat(16)}-01`,
    undefined,
  ]) {
    nextTrace = traceparent
    await client.connect()
    await client.disconnect()
  }
  expect(requests.map(({ headers }) => headers.traceparent)).toEqual(pageTraces)
  expect(new Set(pageTraces).size).toBe(3)
  const starts = requests.filter(({ method }) => method === 'POST')
  expect(starts.map(({ headers }) => headers.traceparent?.slice(3, 5))).toEqual(['aa', 'bb', undefined])
  expect('traceparent' in starts[2]!.headers).toBe(false)
})

test('a client without the option sends no traceparent', async () => {
  const { client, requests } = setUp()
  await client.connect()
  await client.disconnect()
  expect(requests.length).toBeGreaterThan(1)
  expect(requests.filter(({ headers }) => 'traceparent' in headers)).toEqual([])
})

test('a session is started with speech, unless it is one of text only', async () => {
  const { client, requests } = setUp()
  for (const [options, modalities] of [
    [{}, ['audio', 'text']],
    [{ microphone: false }, ['audio', 'text']],
    [{ textOnly: true }, ['text']],
  ] as const) {
    await client.connect(options)
    await client.disconnect()
    expect(requests.findLast(({ method }) => method === 'POST')).toMatchObject({ body: { modalities } })
  }
})

test('a session is started with its overrides in the form of the API, and without any where there are none', async () => {
  const { client, requests } = setUp()
  const bodyOf = () => (requests.findLast(({ method }) => method === 'POST') as { body: object }).body
  await client.connect({ overrides: { systemPrompt: 'You sell.', firstMessage: null, language: 'de' } })
  await client.disconnect()
  expect(bodyOf()).toMatchObject({ overrides: { system_prompt: 'You sell.', first_message: null, language: 'de' } })
  await client.connect()
  await client.disconnect()
  expect(bodyOf()).not.toHaveProperty('overrides')
})

test.each([{ textOnly: true }, { microphone: false }] as const)(
  'a session with %p does not ask for the microphone',
  async (options) => {
    const { client, calls, payloadsOf } = setUp()
    expect(await client.connect(options)).toMatchObject({ textOnly: true })
    expect(calls).not.toContain('microphone opened')
    expect(payloadsOf('connectionState')).toEqual(['connecting', 'connected'])
    expect(() => client.startPushToTalk()).toThrow('push-to-talk')
    await client.disconnect()
  },
)

test('a denied microphone leaves a client that can connect again', async () => {
  const { client, script, requests, payloadsOf, microphonesOn } = setUp()
  script.microphone = denied
  await expect(client.connect()).rejects.toMatchObject({ code: 'microphone_denied' })
  expect(payloadsOf('error')).toEqual([expect.objectContaining({ code: 'microphone_denied' })])
  expect([client.connectionState, requests.length]).toEqual(['disconnected', 0])
  script.microphone = async () => {}
  await client.connect()
  expect(microphonesOn()).toBe(1)
  expect(payloadsOf('disconnected')).toEqual([])
  await client.disconnect()
})

test('connecting twice is connecting once', async () => {
  const { client, sessions } = setUp()
  const [first, second] = await Promise.all([client.connect(), client.connect()])
  expect(first).toBe(second)
  expect(await client.connect()).toBe(first)
  expect(sessions).toHaveLength(1)
  await client.disconnect()
})

test('a microphone that the user allows after hanging up is turned off', async () => {
  const { client, script, requests, microphones, microphonesOn, payloadsOf } = setUp()
  let allow = () => {}
  script.microphone = () =>
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
  expect([payloadsOf('error'), payloadsOf('disconnected'), client.connectionState]).toEqual([[], [], 'disconnected'])
})

test('a session that is hung up while the service starts it is ended at the service', async () => {
  const { client, script, requests, sessions } = setUp()
  let answer = () => {}
  script.start = async (response) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return response
  }
  const connecting = client.connect()
  connecting.catch(() => {})
  await delay(1)
  void client.disconnect()
  delete script.start
  const { id } = await client.connect()
  answer()
  await delay(1)
  expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  expect(sessions).toHaveLength(1)
  expect(client.session?.id).toBe(id)
  await client.disconnect()
})

test('a signal aborts connecting, before it and during it, and has no effect afterwards', async () => {
  const { client, script } = setUp()
  const controller = new AbortController()
  const { signal } = controller
  script.isReady = false
  const connecting = client.connect({ signal })
  await delay(1)
  controller.abort('too slow')
  await expect(connecting).rejects.toMatchObject({ code: 'aborted', cause: 'too slow' })
  await expect(client.connect({ signal })).rejects.toMatchObject({ code: 'aborted' })
  script.isReady = true
  const later = new AbortController()
  await client.connect({ signal: later.signal })
  later.abort()
  expect(client.connectionState).toBe('connected')
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
])('a response of %p to a start rejects with its error', async (status, body, code) => {
  const { client, script, microphonesOn } = setUp()
  script.start = async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  const error = await client.connect().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ParlanceError', code })
  if (typeof body !== 'string') expect(error).toMatchObject({ retryable: body.retryable, requestId: 'r-1' })
  expect(microphonesOn()).toBe(0)
})
