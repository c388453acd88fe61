import { vi } from 'vitest'
import { setUp } from './set-up-client.js'

test.each([
  ['the user', 'user_disconnected', ({ client }: ReturnType<typeof setUp>) => void client.disconnect()],
  ['the page', 'user_disconnected', ({ leavePage }: ReturnType<typeof setUp>) => leavePage()],
  [
    'the service',
    'max_duration',
    ({ emit }: ReturnType<typeof setUp>) => emit({ event: 'session.ended', reason: 'max_duration' }),
  ],
  ['the network', 'connection_lost', ({ sessions }: ReturnType<typeof setUp>) => sessions[0]!.lose()],
])('the end of a session by %s is emitted once, with the microphone off', async (_, reason, end) => {
  const all = setUp()
  const { client, microphonesOn, sessions, payloadsOf } = all
  await client.connect()
  client.on('disconnected', () => expect([microphonesOn(), sessions[0]!.isClosed]).toEqual([0, true]))
  end(all)
  await client.disconnect()
  sessions[0]!.emit({ event: 'session.ended', reason: 'drained' })
  sessions[0]!.lose()
  expect(payloadsOf('disconnected')).toEqual([{ reason, code: null, detail: expect.any(String) }])
  expect(payloadsOf('session')).toEqual([expect.anything(), null])
  expect([client.connectionState, client.session]).toEqual(['disconnected', null])
})

test('the end of a session that failed has the error that ended it', async () => {
  const { client, emit, payloadsOf } = setUp()
  await client.connect()
  emit({ event: 'error', code: 'upstream_error', detail: 'No model.', retryable: true, request_id: 'r' })
  expect(payloadsOf('error')).toEqual([
    expect.objectContaining({ code: 'upstream_error', retryable: true, requestId: 'r' }),
  ])
  expect(client.connectionState).toBe('connected')
  emit({ event: 'session.ended', reason: 'llm_error' })
  expect(payloadsOf('disconnected')).toEqual([{ reason: 'llm_error', code: 'upstream_error', detail: 'No model.' }])
})

test('a session is rated with its token, while it is open and when it is over', async () => {
  const { client, requests } = setUp()
  await expect(client.sendFeedback({ score: 1 })).rejects.toMatchObject({ code: 'not_connected' })
  await client.connect()
  await client.sendFeedback({ score: -1, comment: 'Slow.' })
  await client.disconnect()
  await client.sendFeedback({ score: 1 })
  const rated = requests.filter(({ url }) => url.endsWith('/feedback'))
  expect(rated.map(({ body }) => body)).toEqual([{ score: -1, comment: 'Slow.' }, { score: 1 }])
  for (const { url, headers } of rated) {
    expect(url).toBe('https://voice.example.com/v1/agent-sessions/session-0/feedback')
    expect(headers.authorization).toBe('Bearer awst_0')
  }
})

test('callbacks of an old session have no effect on the next one', async () => {
  const { client, sessions, payloadsOf } = setUp()
  await client.connect()
  const [old] = sessions
  void client.disconnect()
  await client.connect()
  const before = payloadsOf('connectionState').length
  old!.emit({ event: 'transcript', id: 'a', role: 'agent', text: 'late', final: true })
  old!.emit({ event: 'session.ended', reason: 'drained' })
  old!.setNetwork(false)
  old!.emitTrack({} as MediaStreamTrack)
  expect(payloadsOf('transcript')).toEqual([])
  expect(payloadsOf('connectionState')).toHaveLength(before)
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})

test('a session whose network comes back continues', async () => {
  const { client, sessions, payloadsOf, requests } = setUp()
  await client.connect()
  sessions[0]!.setNetwork(false)
  sessions[0]!.setNetwork(true)
  sessions[0]!.setNetwork(false)
  expect(payloadsOf('connectionState').slice(2)).toEqual(['connected', 'reconnecting', 'connected', 'reconnecting'])
  expect(client.session).not.toBeNull()
  // While the network is lost, the service cannot notice that the connection was closed.
  await client.disconnect()
  expect(requests.at(-1)).toMatchObject({ method: 'DELETE' })
})

test('a service that no longer answers is reconnecting, and then lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  try {
    const { client, sent, emit, payloadsOf, microphonesOn } = setUp()
    await client.connect()
    vi.advanceTimersByTime(5_000)
    emit({ event: 'pong' })
    vi.advanceTimersByTime(5_000)
    expect(client.connectionState).toBe('connected')
    vi.advanceTimersByTime(5_000)
    expect(client.connectionState).toBe('reconnecting')
    expect(sent.filter(({ event }) => event === 'ping')).toHaveLength(3)
    vi.advanceTimersByTime(10_000)
    expect(payloadsOf('disconnected')).toEqual([expect.objectContaining({ reason: 'connection_lost' })])
    expect(microphonesOn()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a service that could not answer while the network was lost has not fallen silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  try {
    const { client, sessions, sent } = setUp()
    await client.connect()
    vi.advanceTimersByTime(5_000)
    sessions[0]!.setNetwork(false)
    sessions[0]!.setNetwork(true)
    vi.advanceTimersByTime(5_000)
    expect(sent.filter(({ event }) => event === 'ping')).toHaveLength(2)
    expect(client.connectionState).toBe('connected')
    await client.disconnect()
  } finally {
    vi.useRealTimers()
  }
})

test('a listener is called until it unsubscribes, and may hang up', async () => {
  const { client, payloadsOf } = setUp()
  const off = client.on('connectionState', (state) => {
    if (state === 'connected') void client.disconnect()
  })
  await client.connect()
  await client.disconnect()
  expect(client.connectionState).toBe('disconnected')
  expect(payloadsOf('disconnected')).toHaveLength(1)
  off()
  await client.connect()
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})
