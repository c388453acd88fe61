import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createJambonzListening } from '../src/compat/jambonz/jambonz-listening.js'
import { createJambonzSpeech, readJambonzQuery } from '../src/compat/jambonz/jambonz-speech.js'
import { keys, voiceId } from './fake-services.js'
import { ada } from './fake-voice.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { charactersPaid } from './spoken-words.js'

const base = '/v1/compat/jambonz'
const authorization = `Bearer ${keys.good}`

let gateway: OpenGateway
const sockets: WebSocket[] = []
const start = { type: 'start', language: 'en-US', format: 'raw', encoding: 'LINEAR16', sampleRateHz: 8_000 }
const transcription = { type: 'transcription', channel: 1 }

const useGateway = () => {
  beforeEach(async () => {
    gateway = await openGateway()
    gateway.fakes.voices = JSON.stringify({ voices: [ada], next_cursor: null })
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate()
    await gateway.close()
  })
}

/** What jambonz does: `received` are the messages in their order, with audio as `{ type: 'audio' }`. */
const connect = async (path: string, key: string = keys.good) => {
  const headers = { authorization: `Bearer ${key}` }
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${base}${path}`, { headers })
  sockets.push(socket)
  socket.on('error', () => {})
  const received: Record<string, unknown>[] = []
  socket.on('message', (data, isBinary) => {
    received.push(isBinary ? { type: 'audio', text: String(data) } : JSON.parse(String(data)))
    socket.emit('received')
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const ignored = await new Promise((resolve, reject) => {
    socket.once('upgrade', ({ headers }) => resolve(headers['x-parlance-ignored']))
    socket.once('unexpected-response', (_request, { statusCode }) => reject(new Error(String(statusCode))))
  })
  if (socket.readyState === socket.CONNECTING) await once(socket, 'open')
  const next = async (type: string) => {
    for (;;) {
      const found = received.find((message) => message.type === type)
      if (found !== undefined) return found
      if (socket.readyState === socket.CLOSED) throw new Error(`closed without it: ${JSON.stringify(received)}`)
      await Promise.race([once(socket, 'received'), closed])
    }
  }
  return {
    ...{ received, next, closed, ignored },
    send: (message: object) => socket.send(message instanceof Uint8Array ? message : JSON.stringify(message)),
  }
}

const speak = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${base}/tts`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('the messages of jambonz', () => {
  test('a stream of speech has 24 kHz where a call has a rate that does not exist here', () => {
    const query = (text: string) => readJambonzQuery(new URLSearchParams(text))
    expect([query('sampleRate=8000'), query('sampleRate=32000'), query('')]).toMatchObject([
      ...[{ sampleRateHz: 8_000 }, { sampleRateHz: 24_000 }, { sampleRateHz: 24_000, voice: null, language: null }],
    ])
  })

  test('a text without a word is no error', () => {
    const dialect = createJambonzSpeech({ voice: voiceId, language: null, sampleRateHz: 8_000 })
    const contexts = { isOpen: () => false, textOf: () => '' }
    const error = { event: 'error', request_id: 'r', retryable: false, detail: 'No.', context_id: 'turn-1' } as const
    expect(dialect.read({ type: 'stream', text: ' ' })).toEqual([])
    expect(dialect.write({ ...error, code: 'text_not_speakable' }, contexts)).toEqual([])
    expect(dialect.write({ ...error, code: 'insufficient_credit' }, contexts)).toEqual([
      { type: 'error', error: 'No.', code: 'insufficient_credit', request_id: 'r', retryable: false },
    ])
  })

  test('there are final results, and no others unless the application wants them', () => {
    const { read, write } = createJambonzListening()
    const transcript = { event: 'transcript', start_ms: 0, end_ms: 500 } as const
    expect(read(start)).toMatchObject([{ event: 'start', interim_results: false, sample_rate: 8_000 }])
    expect(write({ event: 'started', model: 'fake', language: 'en' })).toEqual([])
    expect(write({ ...transcript, text: 'Nine.', final: true })).toEqual([
      { ...transcription, language: 'en', is_final: true, alternatives: [{ transcript: 'Nine.', confidence: 1 }] },
    ])
    expect(write({ ...transcript, text: '', final: true })).toEqual([])
  })
})

describe("jambonz' text to speech", () => {
  useGateway()

  test('answers a text with MP3 in a voice that speaks the language, and charges it', async () => {
    const response = await speak({ language: 'en-US', voice: voiceId, type: 'text', text: 'Hello.' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect(await response.text()).toBe('Hello.')
    expect(gateway.fakes.lastRequest).toMatchObject({ voice: voiceId, language: 'en', output: { format: 'mp3' } })
    expect(await charactersPaid(gateway.reserver)).toBe(6)
  })

  test('speaks in the best voice without one, and names the fields without effect', async () => {
    const response = await speak({ voice: '', text: 'Hello.', engine: 'neural' })
    expect(response.headers.get('x-parlance-ignored')).toBe('engine')
    expect(gateway.fakes.lastRequest).toMatchObject({ voice: voiceId, language: null })
  })

  test('refuses SSML by name, and any error is the text that jambonz logs with our code', async () => {
    const ssml = await speak({ voice: voiceId, type: 'ssml', text: '<speak>Hello.</speak>' })
    expect([ssml.status, await ssml.json()]).toMatchObject([
      400,
      { code: 'invalid_request', error: expect.stringContaining('SSML is not supported') },
    ])
    const unknown = await speak({ voice: voiceId, text: 'Hello.' }, { authorization: 'Bearer awp_dev_none' })
    expect([unknown.status, await unknown.json()]).toMatchObject([401, { error: expect.any(String) }])
  })

  test('speaks what it is sent on a socket, each part as whole words, and ends after stop', async () => {
    const client = await connect(`/tts?voice=${voiceId}&language=en-US&sampleRate=16000&vendor=custom`)
    expect(client.ignored).toBe('vendor')
    expect(await client.next('connect')).toEqual({
      type: 'connect',
      data: { sample_rate: 16_000, base64_encoding: false },
    })
    client.send({ type: 'stream', text: 'Hello' })
    client.send({ type: 'stream', text: 'there.' })
    client.send({ type: 'flush' })
    expect(await client.next('audio')).toMatchObject({ text: expect.stringMatching(/^Hello there\. ?$/) })
    expect(gateway.fakes.lastRequest).toMatchObject({
      language: 'en',
      output: { format: 'pcm_s16le', sample_rate: 16_000 },
    })
    client.send({ type: 'stream', text: 'Goodbye.' })
    client.send({ type: 'stop' })
    expect(await client.closed).toBe(1000)
    expect(client.received.map(({ type }) => type)).toEqual(['connect', 'audio', 'audio'])
  })

  test('speaks anew after what was cleared, and reports an error on the socket', async () => {
    const client = await connect('/tts')
    client.send({ type: 'stream', text: 'This is cleared.' })
    client.send({ type: 'clear' })
    client.send({ type: 'keepalive' })
    client.send({ type: 'stream', text: 'And this is not.' })
    client.send({ type: 'flush' })
    expect(await client.next('audio')).toMatchObject({ text: expect.stringMatching(/^And this is not\. ?$/) })
    client.send({ type: 'unknown' })
    expect(await client.next('error')).toMatchObject({ code: 'invalid_request', error: expect.any(String) })
  })
})

describe("jambonz' speech recognition", () => {
  useGateway()

  test('transcribes the audio of a call, names the options without effect once, and closes after stop', async () => {
    const client = await connect('/stt')
    client.send({ ...start, interimResults: true, options: { hints: ['Ada'], hintsBoost: 2 } })
    client.send(new Uint8Array(16_000))
    expect(await client.next('transcription')).toEqual({
      ...{
        ...transcription,
        language: 'en-US',
        is_final: false,
        alternatives: [{ transcript: 'so far', confidence: 1 }],
      },
      warning: 'These options have no effect: hints, hintsBoost.',
    })
    client.send({ type: 'stop' })
    expect(await client.closed).toBe(1000)
    expect(client.received).toHaveLength(1)
    await gateway.allBilled()
    expect(gateway.reserver.holds).toHaveLength(1)
  })

  test.each([{ ...start, encoding: 'MULAW' }, { ...start, language: 'en_US' }, { type: 'pause' }])(
    'ends with an error at %j, as jambonz sends audio all the same',
    async (message) => {
      const client = await connect('/stt')
      client.send(message)
      client.send(new Uint8Array(320))
      expect(await client.closed).toBe(1011)
      expect(client.received).toMatchObject([{ type: 'error', code: 'invalid_request', error: expect.any(String) }])
    },
  )

  test('is refused over HTTP for its key', async () => {
    await expect(connect('/stt', 'awp_dev_none')).rejects.toThrow('401')
    gateway.fakes.admission = 'capability_disabled'
    await expect(connect('/stt')).rejects.toThrow('403')
    expect((await fetch(`${gateway.url}${base}/stt`)).status).toBe(400)
  })
})
