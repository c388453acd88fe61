import { once } from 'node:events'
import type { StreamServerMessage } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { createCartesiaDialect, floatWavHeader, outputOf, toFloat } from '../src/compat/cartesia/cartesia-messages.js'
import { characterTimes, punctuatedWords } from '../src/compat/character-times.js'
import {
  createElevenlabsDialect,
  outputNamed,
  streamInputQuerySchema,
} from '../src/compat/elevenlabs/elevenlabs-messages.js'
import { authorizationOf } from '../src/compat/vendors.js'
import type { StreamDialect } from '../src/stream/stream-connection.js'
import { keys, voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const elevenlabs = '/v1/compat/elevenlabs/v1'

describe('the key of a client of a vendor', () => {
  const read = (headers: Record<string, string>, url = `${elevenlabs}/voices`) => authorizationOf({ url, headers })

  test.each([
    { 'xi-api-key': 'awp_1' },
    { 'x-api-key': 'awp_1' },
    { authorization: 'Token awp_1' },
    { authorization: 'Bearer awp_1' },
    { 'sec-websocket-protocol': 'token, awp_1' },
  ])('is read from %j', (headers) => {
    expect(read(headers as Record<string, string>)).toBe('Bearer awp_1')
  })

  test('is read from Authorization alone elsewhere', () => {
    expect(read({ 'xi-api-key': 'awp_1' }, '/v1/voices')).toBeUndefined()
    expect(read({ authorization: 'Token awp_1' }, '/v1/voices')).toBe('Token awp_1')
  })
})

describe('the times of characters', () => {
  const words = [
    { text: 'Hello', start_ms: 100, end_ms: 600 },
    { text: 'you', start_ms: 700, end_ms: 1000 },
  ]

  test('share the time of their word, and those between words the time between them', () => {
    const times = characterTimes('Hello, you.', words, 0)
    expect(times.map(({ character }) => character).join('')).toBe('Hello, you.')
    expect(times[0]).toEqual({ character: 'H', startMs: 100, endMs: 200 })
    expect(times[5]).toEqual({ character: ',', startMs: 600, endMs: 650 })
    expect(times[10]).toEqual({ character: '.', startMs: 1000, endMs: 1000 })
  })

  test('ascend and cover the text when a word is spoken otherwise than it is written', () => {
    const times = characterTimes(
      'It is 42 now',
      [
        { text: 'It', start_ms: 0, end_ms: 100 },
        { text: 'is', start_ms: 100, end_ms: 200 },
        { text: 'forty-two', start_ms: 200, end_ms: 800 },
        { text: 'now', start_ms: 800, end_ms: 1000 },
      ],
      0,
    )
    expect(times.map(({ character }) => character).join('')).toBe('It is 42 now')
    expect(times.map(({ startMs }) => startMs)).toEqual(times.map(({ startMs }) => startMs).toSorted((a, b) => a - b))
  })
})

test('the words of a text keep the punctuation beside them, and one that is spoken otherwise stays as it is', () => {
  const words = ['Well', 'known', 'he', 'said', 'forty-two', 'No'].map((text) => ({ text, start_ms: 0, end_ms: 1 }))
  expect(punctuatedWords('“Well-known,” he said: 42… (No!)', words).map(({ text }) => text)).toEqual([
    ...['“Well-', 'known,”', 'he', 'said:', 'forty-two', '(No!)'],
  ])
})

test('an output format of ElevenLabs is read from its name, and refused by it', () => {
  expect(outputNamed('mp3_44100_128')).toEqual({ format: 'mp3', sample_rate: 44100, bit_rate: 128_000 })
  expect(outputNamed('ulaw_8000')).toEqual({ format: 'ulaw', sample_rate: 8000, bit_rate: null })
  expect(() => outputNamed('pcm_32000')).toThrow('pcm_32000')
  expect(() => outputNamed('mp3_44100_192')).toThrow('mp3_44100_192')
  expect(() => outputNamed('speex_16000')).toThrow('speex_16000')
})

const read = async (dialect: StreamDialect, ...messages: object[]) => {
  const found = []
  for (const message of messages) found.push(...(await dialect.read(message)))
  return found
}

const openContexts = { isOpen: () => false, textOf: () => 'Hi.' }

/** The JSON of a frame with audio. */
const frameOf = (dialect: StreamDialect, id: string, start_ms: number, data: Uint8Array) => {
  const chunk = { event: 'audio' as const, seq: 0, segment: 0, start_ms, duration_ms: 1000, data }
  const payload = dialect.audioPayload({ id, index: 1, frames: 'base64' }, chunk)
  const frame = Buffer.alloc(payload.bytes)
  payload.writeTo(frame, 0)
  return JSON.parse(frame.toString())
}

describe("ElevenLabs' sockets", () => {
  const open = (isMulti: boolean) => {
    const query = streamInputQuerySchema.parse({
      output_format: 'pcm_16000',
      auto_mode: 'true',
      enable_logging: 'false',
    })
    return createElevenlabsDialect({ voiceId, query, output: outputNamed('pcm_16000'), isMulti })
  }

  test('the first message opens the only context, and an empty text ends it and the socket', async () => {
    const dialect = open(false)
    const messages = await read(
      dialect,
      { text: ' ', voice_settings: { stability: 0.5, speed: 1.1 } },
      { text: 'Hello ', try_trigger_generation: true },
      { text: 'you. ', flush: true },
      { text: '' },
    )
    expect(messages).toMatchObject([
      { event: 'start', voice_id: voiceId, speed: 1.1, alignment: ['word'] },
      { event: 'text', text: 'Hello ' },
      { event: 'text', text: 'you. ' },
      { event: 'flush' },
      { event: 'end' },
    ])
    expect(dialect.endCode?.()).toBe(1000)
  })

  test('in auto mode a sentence is apart from the next one', async () => {
    const messages = await read(open(true), { text: 'Hi.', context_id: 'a' }, { text: 'You, ', context_id: 'a' })
    expect(messages.slice(1)).toMatchObject([{ text: 'Hi. ' }, { text: 'You, ' }])
  })

  test('audio has both alignments, and names the fields without effect once', async () => {
    const dialect = open(false)
    await read(dialect, { text: 'Hi. ', voice_settings: { stability: 0.5 } })
    const alignment = { words: [{ text: 'Hi', start_ms: 0, end_ms: 500 }], phonemes: [], visemes: [] }
    dialect.write({ event: 'alignment', context_id: 'default', segment: 0, ...alignment }, openContexts)
    const first = frameOf(dialect, 'default', 0, new Uint8Array(32))
    expect(first.alignment).toEqual({
      chars: ['H', 'i', '.'],
      charStartTimesMs: [0, 250, 500],
      charDurationsMs: [250, 250, 0],
    })
    expect(first.normalizedAlignment).toEqual(first.alignment)
    expect(first.warning).toBe('These fields have no effect: enable_logging, voice_settings.stability.')
    const second = frameOf(dialect, 'default', 1000, new Uint8Array(32))
    expect(second.alignment).toEqual({ chars: [], charStartTimesMs: [], charDurationsMs: [] })
    expect(second.warning).toBeUndefined()
    const done = {
      event: 'done',
      context_id: 'default',
      audio_duration_ms: 0,
      characters_billed: 0,
      ttfa_ms: 0,
    } as const
    expect(dialect.write(done, openContexts)).toEqual([{ isFinal: true }])
  })

  test('a context that is closed stops, unless it was flushed', async () => {
    const dialect = open(true)
    await read(dialect, { text: ' ', context_id: 'a' }, { text: ' ', context_id: 'b' })
    const messages = await read(
      dialect,
      { text: 'One. ', context_id: 'a' },
      { context_id: 'a', close_context: true },
      { text: 'Two. ', context_id: 'b', flush: true },
      { text: '', context_id: 'b' },
      { context_id: 'b', close_context: true },
    )
    expect(messages.map(({ event }) => event)).toEqual([...['text', 'cancel'], ...['text', 'flush', 'end']])
  })

  test('an error that ends the only context ends the socket with 1008', async () => {
    const dialect = open(false)
    await read(dialect, { text: 'Hi. ' })
    const error: StreamServerMessage = {
      ...{ event: 'error', request_id: 'request-1', code: 'voice_not_found', retryable: false },
      ...{ detail: 'There is no such voice.', context_id: 'default' },
    }
    expect(dialect.write(error, openContexts)).toEqual([
      { message: 'There is no such voice.', error: 'voice_not_found', code: 'voice_not_found' },
    ])
    expect(dialect.endCode?.()).toBe(1008)
  })
})

describe("Cartesia's socket", () => {
  const request = {
    model_id: 'sonic-3',
    voice: { mode: 'id', id: voiceId },
    output_format: { container: 'raw', encoding: 'pcm_f32le', sample_rate: 16_000 },
    context_id: 'a',
  }

  test('a context continues until a message says that it does not', async () => {
    const messages = await read(
      createCartesiaDialect(),
      { ...request, transcript: 'Hello ', continue: true, add_timestamps: true },
      { ...request, transcript: '', continue: true, flush: true },
      { ...request, transcript: 'you.', continue: false },
    )
    expect(messages).toMatchObject([
      { event: 'start', context_id: 'a', voice_id: voiceId, output: { format: 'pcm_s16le', sample_rate: 16_000 } },
      { event: 'text', text: 'Hello ' },
      { event: 'flush', flush_id: '1' },
      { event: 'text', text: 'you.' },
      { event: 'end' },
    ])
  })

  test('audio is in the requested encoding, and names the fields without effect', async () => {
    const dialect = createCartesiaDialect()
    await read(dialect, { ...request, transcript: 'Hi.', generation_config: { emotion: 'happy' } })
    const frame = frameOf(dialect, 'a', 0, new Uint8Array([0, 0x40]))
    expect(frame).toMatchObject({ type: 'chunk', context_id: 'a', done: false })
    expect(frame.warning).toContain('generation_config.emotion')
    expect(Buffer.from(frame.data, 'base64').readFloatLE()).toBe(0.5)
  })

  test('a context is cancelled, and an invalid message refused', async () => {
    const dialect = createCartesiaDialect()
    await read(dialect, { ...request, transcript: 'Hi.' })
    expect(await read(dialect, { context_id: 'a', cancel: true })).toEqual([{ event: 'cancel', context_id: 'a' }])
    await expect(read(dialect, { ...request, context_id: 'b', transcript: 'Hi.', voice: {} })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    const output_format = { container: 'mp3', sample_rate: 44_100 }
    await expect(
      read(dialect, { ...request, context_id: 'b', transcript: 'Hi.', output_format }),
    ).rejects.toMatchObject({ code: 'unsupported_format' })
  })

  test('a WAV of floating point has four bytes in a sample', () => {
    const format = { container: 'wav', encoding: 'pcm_f32le', sample_rate: 44_100 }
    expect(outputOf(format)).toMatchObject({ output: { format: 'pcm_s16le' }, isFloat: true, isWav: true })
    expect(Buffer.from(floatWavHeader(44_100)).readUInt16LE(34)).toBe(32)
    expect(toFloat(new Uint8Array([0xff, 0x7f])).length).toBe(4)
  })
})

describe('the gateway', () => {
  let gateway: OpenGateway
  beforeEach(async () => {
    gateway = await openGateway()
  })
  afterEach(() => gateway.close())

  const speak = (headers: Record<string, string>, body: object = { text: 'Hello', seed: 4 }) =>
    fetch(`${gateway.url}${elevenlabs}/text-to-speech/${voiceId}?output_format=pcm_16000`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test("takes ElevenLabs' key and format, and names the ignored fields", async () => {
    const response = await speak({ 'xi-api-key': keys.good })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlance-ignored')).toBe('seed')
    expect(gateway.fakes.lastRequest).toMatchObject({
      text: 'Hello',
      output: { format: 'pcm_s16le', sample_rate: 16_000 },
    })
  })

  test('answers an error with the five keys and what the vendor’s clients read', async () => {
    const response = await speak({ 'xi-api-key': keys.good }, { text: ' ' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      ...{ event: 'error', code: 'invalid_request', retryable: false, status: 'invalid_request' },
      ...{ detail: 'text: must not be blank', message: 'text: must not be blank' },
    })
    expect((await speak({})).status).toBe(401)
  })

  test('never takes a key from a query', async () => {
    const path = `${elevenlabs}/text-to-speech/${voiceId}/stream-input`
    for (const name of ['xi_api_key', 'api_key']) {
      const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${path}?${name}=${keys.good}`)
      socket.on('error', () => {})
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(401)
      socket.terminate()
    }
  })
})
