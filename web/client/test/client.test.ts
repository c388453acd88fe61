import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { denied } from '../src/testing.js'
import { setUp } from './set-up-client.js'

test('a microphone that is unplugged is replaced by the default one, or the session continues without', async () => {
  const { client, script, microphones, calls, payloadsOf } = setUp()
  await client.connect({ inputMode: 'automatic' })
  microphones[0]!.unplug()
  await delay(1)
  expect(microphones.map(({ isOn }) => isOn)).toEqual([false, true])
  expect(calls).toContain('microphone replaced')
  script.microphone = denied
  microphones[1]!.unplug()
  await delay(1)
  expect(payloadsOf('error')).toEqual([expect.objectContaining({ code: 'microphone_lost' })])
  expect(client.connectionState).toBe('connected')
  await client.disconnect()
})

test('another microphone replaces the one that is on', async () => {
  const { client, microphones } = setUp()
  await client.connect()
  await client.setInputDevice('usb')
  expect(microphones.map(({ isOn }) => isOn)).toEqual([false, true])
  await client.disconnect()
  expect(microphones.map(({ isOn }) => isOn)).toEqual([false, false])
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
  expect(sent.flatMap((message) => (message.event === 'mute' ? [message.muted] : []))).toEqual([true, true, false])
  await client.disconnect()
})

test('tools answer the calls of the Agent; a tool that throws, and an unknown one, answer with an error', async () => {
  const { client, emit, sent, payloadsOf } = setUp()
  await client.connect()
  const call = (name: string) => {
    emit({ event: 'tool.call', tool_call_id: name, name, arguments: { page: 2 } })
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
  const { client, emit, emitted } = setUp()
  await client.connect()
  const from = emitted.length
  const message = { id: 'm', role: 'agent', text: 'Hello', final: true } as const
  const alignment = { id: 'm', speech_id: 'm', words: [], visemes: [{ id: 'E', start_ms: 0, end_ms: 40 }] }
  emit({ event: 'agent.state', state: 'speaking' })
  emit({ event: 'transcript', ...message })
  emit({ event: 'alignment', ...alignment })
  emit({ event: 'interruption', id: 'm', transcript_id: 'm', text_heard: 'Hel' })
  emit({ event: 'user.speech', started: true })
  emit({ event: 'user.speech', started: false, recognized: false })
  emit({ event: 'agent.state', state: 'listening' })
  emit({ event: 'session.ending', reason: 'drained', deadline_ms: 5 })
  emit({ event: 'of a later version' } as never)
  emit([] as never)
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
  const { client, script, sessions, payloadsOf } = setUp()
  script.canPlay = false
  await client.connect()
  sessions[0]!.emitTrack({} as MediaStreamTrack)
  await delay(1)
  script.canPlay = true
  await client.resumeAudio()
  expect(payloadsOf('audioBlocked')).toEqual([true, false])
  await client.disconnect()
})

test('the messages and the history are kept in the order of the conversation, each in its latest form', async () => {
  const { client, emit } = setUp()
  const histories: unknown[] = []
  client.on('history', (history) => histories.push(history))
  await client.connect()
  let answer = (_: unknown) => {}
  client.registerTool('look_up', () => new Promise((resolve) => (answer = resolve)))
  const question = { id: 'u', role: 'user', text: 'Where is it?', final: true } as const
  const reply = { id: 'a', role: 'agent', text: 'It is', final: false } as const
  const call = { tool_call_id: 'c', name: 'look_up', arguments: { order: 7 } }
  emit({ event: 'transcript', ...question, text: 'Where', final: false })
  emit({ event: 'transcript', ...question })
  emit({ event: 'tool.call', ...call })
  emit({ event: 'transcript', ...reply })
  const { messages } = client
  emit({ event: 'interruption', id: 'a', transcript_id: 'a', text_heard: 'It' })
  expect(client.messages).toBe(messages)
  emit({ event: 'transcript', ...reply, text: 'It', final: true, interrupted: true })
  emit({ event: 'transcript', id: 'n', role: 'user', text: 'um', final: false })
  emit({ event: 'transcript', id: 'n', role: 'user', text: '', final: true })
  expect(client.messages).toMatchObject([question, { id: 'a', text: 'It', interrupted: true }])
  expect(client.history).toMatchObject([
    { type: 'message', ...question },
    { type: 'tool_call', ...call },
    { type: 'message', id: 'a', text: 'It' },
    { type: 'interruption', id: 'a', text_heard: 'It' },
  ])
  expect(client.history[1]).not.toHaveProperty('result')
  answer({ place: 'Leeds' })
  await delay(1)
  expect(client.history[1]).toMatchObject({ result: { place: 'Leeds' }, is_error: false })
  expect(histories.at(-1)).toBe(client.history)
  await client.disconnect()
  expect(client.messages).toHaveLength(2)
  await client.connect()
  expect([client.messages, client.history, histories.at(-1)]).toEqual([[], [], []])
  await client.disconnect()
})

test('what both sides do, and what the user has set, can be read, and is reset at the end where it belongs to the session', async () => {
  const { client, emit } = setUp()
  const read = () => [client.agentState, client.userSpeaking, client.muted, client.volume]
  expect(read()).toEqual(['listening', false, false, 1])
  await client.connect()
  const changes: unknown[] = []
  for (const name of ['agentState', 'userSpeaking', 'muted', 'volume'] as const) {
    client.on(name, (value) => {
      expect(client[name]).toBe(value)
      changes.push(value)
    })
  }
  emit({ event: 'agent.state', state: 'thinking' })
  emit({ event: 'user.speech', started: true })
  client.mute()
  client.setVolume(0.5)
  client.setVolume(0.5)
  expect(read()).toEqual(['thinking', true, true, 0.5])
  await client.disconnect()
  expect(read()).toEqual(['listening', false, true, 0.5])
  expect(changes).toEqual(['thinking', true, true, 0.5, 'listening', false])
})

test('the page gives the Agent a text to speak, and tells that the user is there', async () => {
  const { client, next } = setUp()
  expect(() => client.say('Hello.')).toThrow(expect.objectContaining({ code: 'not_connected' }))
  await client.connect()
  const id = client.say('Your order has arrived.')
  client.sendUserActivity()
  expect(await next('agent.say')).toEqual({ event: 'agent.say', id, text: 'Your order has arrived.' })
  expect(await next('user.activity')).toEqual({ event: 'user.activity' })
  await client.disconnect()
})

test('the arguments of a tool with a schema are typed, and checked before it runs', async () => {
  const { client, emit, sent } = setUp()
  await client.connect()
  const place = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['C', 'F'] } },
    required: ['city'],
  } as const
  client.registerTool('weather', {
    parameters: place,
    run: ({ city, days = 1, unit }) => {
      const typed: [string, number, 'C' | 'F' | undefined] = [city, days, unit]
      return typed
    },
  })
  client.registerTool('rate', {
    parameters: z.object({
      stars: z
        .number()
        .max(5)
        .transform((stars) => stars * 20),
    }),
    run: ({ stars }) => stars.toFixed(0),
  })
  // @ts-expect-error: the schema has no such argument
  client.registerTool('other', { parameters: place, run: ({ town }) => town })()
  const results = async (name: string, calls: unknown[]) => {
    const before = sent.length
    for (const input of calls) emit({ event: 'tool.call', tool_call_id: 'c', name, arguments: input })
    await delay(1)
    return sent.slice(before).map((message) => message.event === 'tool.result' && message.result)
  }
  expect(
    await results('weather', [
      { city: 'Leeds', unit: 'C' },
      { days: 2 },
      { city: 'Leeds', days: 1.5 },
      { city: 'Leeds', unit: 'K' },
      'Leeds',
    ]),
  ).toEqual([
    ['Leeds', 1, 'C'],
    'arguments.city is required',
    'arguments.days must be of the type integer',
    'arguments.unit must be one of ["C","F"]',
    'arguments must be of the type object',
  ])
  expect(await results('rate', [{ stars: 4 }, { stars: 9 }])).toEqual([
    '80',
    expect.stringMatching(/^arguments\.stars: /),
  ])
  await client.disconnect()
})

test('a page sends a track of its own in place of the microphone, or says how the microphone is captured', async () => {
  const { client, microphones, payloadsOf } = setUp()
  await client.connect({ microphone: { echoCancellation: false, deviceId: 'usb' } })
  await client.setInputDevice('desk')
  microphones[1]!.unplug()
  await delay(1)
  await client.disconnect()
  await client.connect({ microphone: { noiseSuppression: false } })
  await client.disconnect()
  expect(microphones.map(({ source }) => source)).toEqual([
    { echoCancellation: false, deviceId: 'usb' },
    { echoCancellation: false, deviceId: 'desk' },
    { echoCancellation: false },
    { noiseSuppression: false, deviceId: 'desk' },
  ])
  const own = { kind: 'audio', clone: () => own } as unknown as MediaStreamTrack
  await client.connect({ microphone: own })
  expect(microphones[4]!.source).toBe(own)
  // The microphone of the user does not replace it unasked.
  microphones[4]!.unplug()
  await delay(1)
  expect([microphones.length, payloadsOf('error')]).toEqual([5, [expect.objectContaining({ code: 'microphone_lost' })]])
  await client.disconnect()
  const video = { kind: 'video', clone: () => own } as unknown as MediaStreamTrack
  await expect(client.connect({ microphone: video })).rejects.toMatchObject({ code: 'invalid_options' })
})

test('the screen stays on during a session, and a user who comes back to the page has audio again', async () => {
  const { client, calls, script, returnToPage, payloadsOf } = setUp()
  await client.connect({ textOnly: true })
  expect(calls).toEqual(['unlocked for text', 'awake'])
  script.canPlay = false
  returnToPage()
  await delay(1)
  expect(payloadsOf('audioBlocked')).toEqual([true])
  await client.disconnect()
  expect(calls.at(-1)).toBe('no longer awake')
})

test('devices are watched during a session and while there is a listener, and at no other time', async () => {
  const { client, setDevices, deviceListeners } = setUp()
  const microphone = (deviceId: string) => ({ deviceId, kind: 'audioinput', label: deviceId })
  await setDevices(microphone('built-in'), { deviceId: 'eye', kind: 'videoinput', label: 'eye' })
  expect(client.inputDevices).toEqual([])
  await client.connect()
  await delay(1)
  expect(client.inputDevices).toEqual([{ id: 'built-in', kind: 'input', label: 'built-in' }])
  const { inputDevices } = client
  await client.disconnect()
  expect([client.inputDevices, deviceListeners.size]).toEqual([inputDevices, 0])

  const changes: unknown[] = []
  const off = client.on('devicesChanged', (devices) => changes.push(devices))
  await setDevices(microphone('built-in'), microphone('usb'), { deviceId: 'box', kind: 'audiooutput', label: 'box' })
  await setDevices(microphone('built-in'), microphone('usb'), { deviceId: 'box', kind: 'audiooutput', label: 'box' })
  expect(changes).toEqual([
    [
      ...['built-in', 'usb'].map((id) => ({ id, kind: 'input', label: id })),
      { id: 'box', kind: 'output', label: 'box' },
    ],
  ])
  expect(client.inputDevices.map(({ id }) => id)).toEqual(['built-in', 'usb'])
  expect(await client.listDevices()).toHaveLength(3)
  off()
  expect(deviceListeners.size).toBe(0)
})
