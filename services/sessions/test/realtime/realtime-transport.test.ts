import {
  agentConfigSchema,
  type RealtimeSession,
  realtimeServerEventSchema,
  realtimeSessionSchema,
  ServiceError,
} from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { openConversation } from '../../src/conversation/open-conversation.js'
import { createFrameClock } from '../../src/media/playback/frame-clock.js'
import { createPlayback } from '../../src/media/playback/playback.js'
import type { Transport, TransportListener } from '../../src/media/transport.js'
import { createRealtimeTransport, type RealtimeConversation } from '../../src/realtime/realtime-transport.js'
import { createFakeJournal } from '../conversation/fake-journal.js'
import {
  createFakeDetector,
  createFakeModel,
  createFakeRecognizer,
  createFakeSpeech,
  type ScriptedReply,
} from '../conversation/fake-stages.js'
import { pageTool } from '../conversation/fake-tools.js'
import { fakeTime } from '../conversation/scenario.js'

const logger = createLogger({ level: 'silent' })

fakeTime()

const agentId = 'c4cfb3ad-d58c-45a9-a0b1-f788450671a4'
const sessionId = '5f8a1f52-6b0c-4b7e-9d5e-0c6f4f1f1a01'

interface ServerEvent {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields of the event that it expects.
  readonly [field: string]: any
}

const settled = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
}

interface TalkOptions {
  readonly session?: object
  readonly kind?: Transport['kind']
  readonly firstMessage?: string
  readonly configure?: RealtimeConversation['configure']
  readonly replies?: readonly ScriptedReply[]
}

/** A conversation with stand-ins for its stages, and a client of the protocol. */
const talkWith = async (options: TalkOptions = {}) => {
  const session: RealtimeSession = realtimeSessionSchema.parse({ type: 'realtime', ...options.session })
  const events: ServerEvent[] = []
  let listener: TransportListener | undefined
  const inner: Transport<object> = {
    kind: options.kind ?? 'websocket',
    listen(given) {
      listener = given
    },
    send: (event) => void events.push(realtimeServerEventSchema.parse(event)),
    playFrame() {},
    close: async () => {},
  }
  const config = agentConfigSchema.parse({
    slug: 'an-agent',
    display_name: 'An agent',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'builtin',
    turn_config: { endpointing_min_ms: 500, interruption_min_ms: 500 },
    tools: [pageTool('get_weather')],
  })
  const agent = {
    ...{ agentId, sessionId, voice: config.voice_id, language: 'en', speed: 1, maxDurationSeconds: 600 },
    firstMessage: options.firstMessage ?? null,
  }
  const transport = createRealtimeTransport(inner as Transport, agent, session)
  const stt = createFakeRecognizer()
  const llm = createFakeModel()
  llm.script.replies.push(...(options.replies ?? []))
  const { journal, kept } = createFakeJournal()
  const conversation = openConversation({
    sessionId,
    requestId: 'request-1',
    config,
    model: llm.model,
    tools: [],
    background: Promise.resolve({ memories: [], appointments: [], metadata: {} }),
    speakSegment: session.output_modalities?.[0] === 'text' ? undefined : createFakeSpeech().speakSegment,
    voiceLanguage: 'en',
    inputMode: session.audio?.input?.turn_detection === null ? 'push-to-talk' : 'automatic',
    transport,
    playback: createPlayback({ playFrame: transport.playFrame, frameClock: createFrameClock() }),
    voiceDetector: createFakeDetector(),
    recognizer: stt.recognizer,
    turnDetector: undefined,
    timeZone: 'UTC',
    journal: {
      ...journal,
      used(usage) {
        transport.used(usage)
        journal.used(usage)
      },
    },
    logger,
    startSpan: () => undefined,
    onAgentTurn: transport.onAgentTurn,
    fillsSilence: false,
  })
  transport.connectTo({ ...conversation, configure: options.configure ?? (async () => {}) })
  listener!.onOpen()
  await settled()
  let read = 0

  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 10) {
      vi.advanceTimersByTime(10)
      await settled()
    }
  }
  const talk = {
    events,
    stt: stt.script,
    llm: llm.script,
    kept,
    pass,
    send: async (event: object) => {
      listener!.raw!.onMessage(JSON.stringify(event))
      await settled()
    },
    /** 24 kHz PCM, as the gateway passes it. */
    hear: async (ms: number, level: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += 20) {
        listener!.raw!.onBytes(Buffer.from(new Int16Array(480).fill(level).buffer))
        await pass(20)
      }
    },
    sendAudio: (ms: number, level: number) =>
      listener!.raw!.onBytes(Buffer.from(new Int16Array(ms * 24).fill(level).buffer)),
    /** The next event of this type. */
    next: async (type: string): Promise<ServerEvent> => {
      for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 20) {
        for (; read < events.length; read++) if (events[read]!.type === type) return events[read++]!
        await pass(20)
      }
      throw new Error(`There was no ${type}, but ${events.map((event) => event.type).join(', ')}.`)
    },
    types: () => events.map(({ type }) => type),
    say: async (text: string) => {
      const content = [{ type: 'input_text', text }]
      await talk.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
      await talk.send({ type: 'response.create' })
    },
    messages: () => kept.messages.map(({ role, text }) => `${role}: ${text}`),
    end: async () => {
      conversation.end('api_ended', 0)
      await settled()
    },
  }
  await talk.next('session.created')
  return talk
}

/** Events without those of audio that repeat, each once. */
const outline = (types: readonly string[]) => types.filter((type, index) => type !== types[index - 1])

test('a message waits for response.create, and its answer has the events of the protocol in their order', async () => {
  const talk = await talkWith({ replies: ['It is noon.'] })
  await talk.send({
    type: 'conversation.item.create',
    item: { id: 'mine', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What time is it?' }] },
  })
  await talk.pass(500)
  expect(talk.types()).toEqual(['session.created', 'conversation.item.added', 'conversation.item.done'])
  await talk.send({ type: 'response.create', response: { metadata: { topic: 'time' } } })
  const { response } = await talk.next('response.done')
  const types = talk.types().slice(3)
  expect(outline(types.filter((type) => !type.endsWith('.delta')))).toEqual([
    'response.created',
    'response.output_item.added',
    'conversation.item.added',
    'response.content_part.added',
    'response.output_audio.done',
    'response.output_audio_transcript.done',
    'response.content_part.done',
    'response.output_item.done',
    'conversation.item.done',
    'response.done',
  ])
  expect(types).toContain('response.output_audio.delta')
  expect(response).toMatchObject({
    status: 'completed',
    metadata: { topic: 'time' },
    output: [
      { role: 'assistant', status: 'completed', content: [{ type: 'output_audio', transcript: 'It is noon.' }] },
    ],
  })
  expect(response.usage.total_tokens).toBeGreaterThan(0)
  expect(talk.messages()).toEqual(['user: What time is it?', 'agent: It is noon.'])
  await talk.end()
})

test('the first response that the client creates without a message is the greeting of the Agent', async () => {
  const talk = await talkWith({ firstMessage: 'Welcome.' })
  await talk.pass(1_000)
  expect(talk.types()).toEqual(['session.created'])
  await talk.send({ type: 'response.create' })
  const { response } = await talk.next('response.done')
  expect(response.output[0].content[0].transcript).toBe('Welcome.')
  await talk.end()
})

test('what the user says is committed, transcribed and answered', async () => {
  const talk = await talkWith({ replies: ['Fine.'] })
  talk.stt.texts.push('How are you?')
  await talk.hear(600, 1_000)
  await talk.hear(1_000, 0)
  const { response } = await talk.next('response.done')
  expect(response.status).toBe('completed')
  expect(outline(talk.types()).slice(1, 9)).toEqual([
    'input_audio_buffer.speech_started',
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'conversation.item.input_audio_transcription.delta',
    'conversation.item.input_audio_transcription.completed',
    'response.created',
  ])
  expect(talk.messages()).toEqual(['user: How are you?', 'agent: Fine.'])
  await talk.end()
})

test('audio that is sent at once is taken in real time, as the pauses in it decide when a turn is over', async () => {
  const talk = await talkWith({ replies: ['Fine.'] })
  talk.stt.texts.push('How are you?')
  talk.sendAudio(600, 1_000)
  talk.sendAudio(1_500, 0)
  await talk.next('response.done')
  expect(talk.messages()).toEqual(['user: How are you?', 'agent: Fine.'])
  await talk.end()
})

test('an interruption is reported before the response is cancelled, which has the text that was played', async () => {
  const talk = await talkWith({ replies: ['One two three four five six seven eight nine ten.', 'Yes.'] })
  await talk.say('Count.')
  await talk.next('response.output_audio.delta')
  await talk.pass(300)
  talk.stt.texts.push('Please stop now.')
  await talk.hear(900, 1_000)
  await talk.hear(900, 0)
  await talk.next('input_audio_buffer.speech_started')
  const { response } = await talk.next('response.done')
  expect(response).toMatchObject({
    status: 'cancelled',
    status_details: { type: 'cancelled', reason: 'turn_detected' },
    output: [{ status: 'incomplete' }],
  })
  const [, interrupted] = talk.kept.messages
  expect(interrupted).toMatchObject({ role: 'agent', interrupted: true })
  expect(response.output[0].content[0].transcript).toBe(interrupted!.text)
  await talk.next('response.done')
  expect(talk.messages().slice(2)).toEqual(['user: Please stop now.', 'agent: Yes.'])
  await talk.end()
})

test('a function call ends a response, and its output is answered by the next', async () => {
  const talk = await talkWith({
    replies: [{ text: 'Let me look.', calls: [['get_weather', { city: 'Rome' }]] }, 'It is sunny.'],
  })
  await talk.say('How is the weather?')
  const { call_id, arguments: args, name } = await talk.next('response.function_call_arguments.done')
  expect([name, JSON.parse(args)]).toEqual(['get_weather', { city: 'Rome' }])
  const { response } = await talk.next('response.done')
  expect(response.output.map(({ type }: { type: string }) => type)).toEqual(['message', 'function_call'])
  expect(response.output[0].content[0].transcript).toBe('Let me look.')
  await talk.send({
    type: 'conversation.item.create',
    item: { type: 'function_call_output', call_id, output: 'sunny' },
  })
  await talk.pass(300)
  expect(talk.llm.requests).toHaveLength(1)
  await talk.send({ type: 'response.create' })
  const next = await talk.next('response.done')
  expect(next.response.output).toMatchObject([{ content: [{ transcript: 'It is sunny.' }] }])
  expect(talk.messages()).toEqual(['user: How is the weather?', 'agent: Let me look. It is sunny.'])
  await talk.end()
})

test('a response can be cancelled once, and only one is in progress at a time', async () => {
  const talk = await talkWith({ replies: ['One two three four five six seven eight.'] })
  await talk.say('Count.')
  await talk.next('response.output_audio.delta')
  await talk.send({ type: 'response.create', event_id: 'too-early' })
  expect((await talk.next('error')).error).toMatchObject({
    code: 'conversation_already_has_active_response',
    event_id: 'too-early',
  })
  await talk.send({ type: 'response.cancel' })
  expect((await talk.next('response.done')).response.status_details).toEqual({
    type: 'cancelled',
    reason: 'client_cancelled',
  })
  await talk.send({ type: 'response.cancel' })
  expect((await talk.next('error')).error.code).toBe('response_cancel_not_active')
  await talk.end()
})

describe('without turn detection', () => {
  const session = { audio: { input: { format: { type: 'audio/pcmu' }, turn_detection: null } } }

  test('the client commits the audio, which is answered with response.create, however fast it was sent', async () => {
    const talk = await talkWith({ session: { audio: { input: { turn_detection: null } } }, replies: ['Fine.'] })
    talk.stt.texts.push('How are you?')
    talk.sendAudio(800, 1_000)
    await talk.send({ type: 'input_audio_buffer.commit' })
    await talk.pass(1_000)
    expect(talk.stt.utterances).toEqual([])
    await talk.send({ type: 'response.create' })
    expect((await talk.next('response.done')).response.status).toBe('completed')
    expect(talk.types()).toContain('conversation.item.input_audio_transcription.completed')
    expect(talk.messages()).toEqual(['user: How are you?', 'agent: Fine.'])
    await talk.end()
  })

  test('an empty buffer cannot be committed, and silence is not answered', async () => {
    const talk = await talkWith({ session })
    await talk.send({ type: 'input_audio_buffer.commit' })
    expect((await talk.next('error')).error.code).toBe('input_audio_buffer_commit_empty')
    await talk.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(8_000, 0xff).toString('base64') })
    await talk.send({ type: 'input_audio_buffer.commit' })
    await talk.send({ type: 'response.create' })
    const { response } = await talk.next('response.done')
    expect(response.status_details).toMatchObject({ type: 'failed', error: { code: 'no_speech_recognized' } })
    await talk.end()
  })
})

describe('session.update', () => {
  test('is merged, configures the Agent once before the events that follow, and names what has no effect', async () => {
    const configured: RealtimeSession[] = []
    const talk = await talkWith({
      replies: ['Fine.'],
      async configure(given) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        configured.push(given)
      },
    })
    const tools = [{ type: 'function', name: 'look', description: 'Looks.', parameters: {} }]
    await talk.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        instructions: 'Be brief.',
        tools,
        tracing: 'auto',
        audio: { output: { speed: 1.5 } },
      },
    })
    await talk.say('Hello')
    expect(talk.types()).toEqual(['session.created'])
    const { session, x_parlance_ignored } = await talk.next('session.updated')
    expect(session).toMatchObject({ instructions: 'Be brief.', tools, audio: { output: { speed: 1 } } })
    expect(x_parlance_ignored).toEqual(['tracing', 'audio.output.speed'])
    await talk.next('response.done')
    await talk.send({
      type: 'session.update',
      session: { audio: { input: { turn_detection: { type: 'server_vad' } } } },
    })
    expect((await talk.next('session.updated')).session).toMatchObject({
      instructions: 'Be brief.',
      audio: { input: { turn_detection: { type: 'server_vad', create_response: true } } },
    })
    expect(configured).toMatchObject([{ instructions: 'Be brief.', tools }])
    await talk.end()
  })

  test('is refused as a whole, with the event and the field', async () => {
    const talk = await talkWith({
      configure: async () => {
        throw new ServiceError('invalid_request', 'overrides.system_prompt: the Agent does not allow it.')
      },
    })
    const refusals = [
      [{ instructions: 'Obey.' }, 'overrides.system_prompt'],
      [{ type: 'transcription' }, 'session.type'],
      [{ output_modalities: ['video'] }, 'session.output_modalities.0'],
      [{ tool_choice: 'required' }, 'session.tool_choice'],
      [{ model: 'another' }, 'session.model'],
    ] as const
    for (const [session, param] of refusals) {
      await talk.send({ type: 'session.update', event_id: 'mine', session })
      expect((await talk.next('error')).error).toMatchObject({ type: 'invalid_request_error', param, event_id: 'mine' })
    }
    expect(talk.types()).not.toContain('session.updated')
    await talk.end()
  })
})

test('a session of text is answered without speech, and its calls follow its text at once', async () => {
  const talk = await talkWith({
    session: { output_modalities: ['text'] },
    replies: [{ text: 'Let me look.', calls: [['get_weather', { city: 'Rome' }]] }],
  })
  await talk.say('How is the weather?')
  const { response } = await talk.next('response.done')
  expect(response).toMatchObject({
    output_modalities: ['text'],
    output: [{ content: [{ type: 'output_text', text: 'Let me look.' }] }, { type: 'function_call' }],
  })
  expect(outline(talk.types()).slice(3)).toEqual([
    'response.created',
    'response.output_item.added',
    'conversation.item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'conversation.item.done',
    'response.output_item.added',
    'conversation.item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'conversation.item.done',
    'response.done',
  ])
  await talk.end()
})

describe('where the client creates the responses', () => {
  const detecting = (fields: object) => ({ audio: { input: { turn_detection: { type: 'server_vad', ...fields } } } })

  test('a turn is transcribed, and answered with response.create, also with one that precedes its text', async () => {
    for (const isEarly of [false, true]) {
      const talk = await talkWith({ session: detecting({ create_response: false }), replies: ['Fine.'] })
      talk.stt.texts.push('How are you?')
      await talk.hear(600, 1_000)
      await talk.hear(1_000, 0)
      await talk.next('input_audio_buffer.committed')
      if (isEarly) await talk.send({ type: 'response.create' })
      await talk.next('conversation.item.input_audio_transcription.completed')
      await talk.pass(500)
      expect(talk.types().includes('response.created')).toBe(isEarly)
      if (!isEarly) await talk.send({ type: 'response.create' })
      expect((await talk.next('response.done')).response.status).toBe('completed')
      expect(talk.messages()).toEqual(['user: How are you?', 'agent: Fine.'])
      await talk.end()
    }
  })

  test('without interruptions, speech during a response is reported and transcribed, and the response goes on', async () => {
    const talk = await talkWith({
      session: detecting({ interrupt_response: false }),
      replies: ['One two three four five six seven eight nine ten.'],
    })
    await talk.say('Count.')
    await talk.next('response.output_audio.delta')
    talk.stt.texts.push('Please stop now.')
    await talk.hear(900, 1_000)
    await talk.hear(900, 0)
    await talk.next('input_audio_buffer.speech_started')
    await talk.next('conversation.item.input_audio_transcription.completed')
    expect((await talk.next('response.done')).response.status).toBe('completed')
    await talk.pass(500)
    expect(talk.types().filter((type) => type === 'response.created')).toHaveLength(1)
    await talk.end()
  })
})

test('over WebRTC the audio is a track, and the events tell when it begins and ends', async () => {
  const talk = await talkWith({ kind: 'webrtc', replies: ['Fine.'] })
  await talk.say('Hello')
  await talk.next('response.done')
  expect(talk.types().filter((type) => type.includes('audio_buffer') || type.endsWith('audio.delta'))).toEqual([
    'output_audio_buffer.started',
    'output_audio_buffer.stopped',
  ])
  await talk.end()
})

test('earlier messages become part of the conversation, and items can be read, cut off and deleted', async () => {
  const talk = await talkWith({ replies: ['Fine.'] })
  const add = (id: string, role: string, type: string, text: string) =>
    talk.send({ type: 'conversation.item.create', item: { id, type: 'message', role, content: [{ type, text }] } })
  await add('one', 'user', 'input_text', 'My name is Ada.')
  await add('two', 'assistant', 'output_text', 'Hello Ada.')
  await add('three', 'user', 'input_text', 'Forget this.')
  await talk.send({ type: 'conversation.item.delete', item_id: 'three' })
  await add('four', 'user', 'input_text', 'What is my name?')
  await talk.send({ type: 'response.create' })
  await talk.next('response.done')
  expect(talk.messages()).toEqual([
    ...['user: My name is Ada.', 'agent: Hello Ada.', 'user: What is my name?', 'agent: Fine.'],
  ])
  await talk.send({ type: 'conversation.item.retrieve', item_id: 'one' })
  expect((await talk.next('conversation.item.retrieved')).item).toMatchObject({ id: 'one', role: 'user' })
  await talk.send({ type: 'conversation.item.truncate', item_id: 'unknown', content_index: 0, audio_end_ms: 10 })
  expect((await talk.next('error')).error.param).toBe('item_id')
  await talk.end()
})

test('the instructions of a response are known to the agent until the response ends', async () => {
  const talk = await talkWith({ replies: ['Welcome.', 'Fine.'], firstMessage: 'How may I help?' })
  await talk.send({ type: 'response.create', response: { instructions: 'Greet the user in rhymes.' } })
  await talk.next('response.done')
  await talk.say('How are you?')
  await talk.next('response.done')
  expect(talk.messages()).toEqual(['agent: Welcome.', 'user: How are you?', 'agent: Fine.'])
  expect(talk.llm.requests.map((request) => JSON.stringify(request).includes('in rhymes'))).toEqual([true, false])
  await talk.end()
})

test('a message that is not of the protocol is an error, and the session continues', async () => {
  const talk = await talkWith({ replies: ['Fine.'] })
  for (const event of [{ type: 'nothing' }, {}, { type: 'response.create', response: { tool_choice: 'none' } }]) {
    await talk.send({ ...event, event_id: 'mine' })
    expect((await talk.next('error')).error).toMatchObject({ code: 'invalid_request', event_id: 'mine' })
  }
  await talk.say('Hello')
  await talk.next('response.done')
  await talk.end()
})
