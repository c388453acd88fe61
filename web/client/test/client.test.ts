import { setTimeout as delay } from 'node:timers/promises'
import { denied } from './fake-browser.js'
import { setUp } from './set-up-client.js'

test('a microphone that is unplugged is replaced by the default one, or the session continues without', async () => {
  const { client, fake, microphones, calls, payloadsOf } = setUp()
  await client.connect({ inputMode: 'automatic' })
  microphones[0]!.lose()
  await delay(1)
  expect(microphones.map(({ on }) => on)).toEqual([false, true])
  expect(calls).toContain('microphone replaced')
  fake.microphone = denied
  microphones[1]!.lose()
  await delay(1)
  expect(payloadsOf('error')).toEqual([expect.objectContaining({ code: 'microphone_lost' })])
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})

test('another microphone replaces the one that is on', async () => {
  const { client, microphones } = setUp()
  await client.connect()
  await client.setInputDevice('usb')
  expect(microphones.map(({ on }) => on)).toEqual([false, true])
  await client.disconnect()
  expect(microphones.map(({ on }) => on)).toEqual([false, false])
})

test('with push-to-talk the microphone is sent only between start and commit or cancel', async () => {
  const { client, microphones, sent } = setUp()
  expect(() => client.startPushToTalk()).toThrow(expect.objectContaining({ code: 'not_connected' }))
  await client.connect()
  const [{ track }] = microphones as [(typeof microphones)[0]]
  const states = [track.enabled]
  for (const step of ['startPushToTalk', 'commitPushToTalk', 'startPushToTalk', 'cancelPushToTalk'] as const) {
    client[step]()
    states.push(track.enabled)
  }
  expect(states).toEqual([false, true, false, true, false])
  expect(sent.slice(1).map(({ event }) => event)).toEqual(['ptt.start', 'ptt.commit', 'ptt.start', 'ptt.cancel'])
  await client.disconnect()
  await client.connect({ inputMode: 'automatic' })
  expect(microphones[1]!.track.enabled).toBe(true)
  expect(() => client.commitPushToTalk()).toThrow('push-to-talk')
  await client.disconnect()
})

test('a muted microphone is not sent, in later sessions either', async () => {
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

test('tools answer the calls of the Agent; a tool that throws, and an unknown one, answer with an error', async () => {
  const { client, receive, sent, payloadsOf } = setUp()
  await client.connect()
  const call = (name: string) => {
    receive({ event: 'tool.call', tool_call_id: name, name, arguments: { page: 2 } })
    return delay(1)
  }
  const unregister = client.registerTool('open_page', async (input) => ({ opened: input }))
  client.registerTool('broken', () => {
    throw new Error('no such page')
  })
  await call('open_page')
  await call('broken')
  unregister()
  await call('open_page')
  expect(sent.slice(1)).toEqual([
    { event: 'tool.result', tool_call_id: 'open_page', result: { opened: { page: 2 } }, is_error: false },
    { event: 'tool.result', tool_call_id: 'broken', result: 'no such page', is_error: true },
    { event: 'tool.result', tool_call_id: 'open_page', result: expect.stringContaining('no tool'), is_error: true },
  ])
  expect(payloadsOf('toolCall')[0]).toEqual({ tool_call_id: 'open_page', name: 'open_page', arguments: { page: 2 } })
  await client.disconnect()
})

test('the events of the service are emitted under the names of the contract', async () => {
  const { client, receive, emitted } = setUp()
  await client.connect()
  const from = emitted.length
  const message = { id: 'm', role: 'agent', text: 'Hello', final: true }
  const alignment = { id: 'm', speech_id: 'm', words: [], visemes: [{ id: 'E', start_ms: 0, end_ms: 40 }] }
  receive({ event: 'agent.state', state: 'speaking' })
  receive({ event: 'transcript', ...message })
  receive({ event: 'alignment', ...alignment })
  receive({ event: 'interruption', id: 'm', transcript_id: 'm', text_heard: 'Hel' })
  receive({ event: 'user.speech', started: true })
  receive({ event: 'user.speech', started: false, recognized: false })
  receive({ event: 'agent.state', state: 'listening' })
  receive({ event: 'session.ending', reason: 'drained', deadline_ms: 5 })
  receive({ event: 'of a later version' })
  receive([])
  expect(emitted.slice(from)).toEqual([
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

test('audio that the browser blocks is emitted as blocked, until it is resumed', async () => {
  const { client, fake, connections, payloadsOf } = setUp()
  fake.allowsPlayback = false
  await client.connect()
  connections[0]!.listener.onTrack({} as MediaStreamTrack)
  await delay(1)
  await client.resumeAudio()
  expect(payloadsOf('audioBlocked')).toEqual([true, false])
  await client.disconnect()
})
