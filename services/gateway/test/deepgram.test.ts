import type { StreamServerMessage } from '@parlance/contracts'
import { type ClientOptions, WebSocket } from 'ws'
import { createDeepgramListening } from '../src/compat/deepgram/deepgram-listening.js'
import { readListeningSettings, readSpeechSettings } from '../src/compat/deepgram/deepgram-query.js'
import { createDeepgramSpeech, requestedOutput } from '../src/compat/deepgram/deepgram-speech.js'
import { keys, voiceId } from './fake-services.js'
import { ada } from './fake-voice.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { charactersPaid } from './spoken-words.js'

const base = '/v1/compat/deepgram'

describe('the settings of a request', () => {
  const listening = (query: string) => readListeningSettings(new URLSearchParams(query))
  const speech = (query: string) => readSpeechSettings(new URLSearchParams(query))

  test('that have no effect are ignored by name, and names of Deepgram stand for the best model and voice', () => {
    expect(
      listening('model=nova-3&language=multi&smart_format=true&punctuate=false&keyterm=a&keyterm=b'),
    ).toMatchObject({
      model: null,
      language: null,
      ignored: ['smart_format', 'keyterm', 'model', 'language'],
    })
    expect(listening('model=sherpa-onnx/one&language=en-GB')).toMatchObject({
      model: 'sherpa-onnx/one',
      language: 'en-GB',
      ignored: [],
    })
    expect(speech('model=aura-2-thalia-en&tag=a')).toMatchObject({
      voice: null,
      language: 'en',
      ignored: ['tag', 'model'],
    })
    expect(speech(`model=${voiceId}`)).toMatchObject({ voice: voiceId, language: null, ignored: [] })
  })

  test.each([
    'diarize=true',
    'callback=https://example.com',
    'multichannel=true',
    'channels=2',
    'redact=pci',
    'unknown=1',
  ])('are refused by name where a client relies on them: %s', (query) => {
    const [name] = query.split('=')
    expect(() => listening(query)).toThrow(expect.objectContaining({ detail: expect.stringContaining(name!) }))
    expect(listening('diarize=false').ignored).toEqual([])
  })

  test('choose the form of the audio by encoding and container', () => {
    const outputOf = (query: string) => requestedOutput(speech(query)).output
    expect(outputOf('')).toMatchObject({ format: 'mp3' })
    expect(outputOf('encoding=linear16')).toMatchObject({ format: 'wav', sample_rate: 24_000 })
    expect(outputOf('encoding=linear16&container=none&sample_rate=8000')).toMatchObject({
      format: 'pcm_s16le',
      sample_rate: 8_000,
    })
    expect(outputOf('encoding=opus&container=ogg')).toMatchObject({ format: 'opus' })
    expect(requestedOutput(speech('encoding=aac')).isAac).toBe(true)
    for (const query of ['encoding=mulaw&container=wav', 'encoding=speex', 'encoding=linear16&sample_rate=32000']) {
      expect(() => outputOf(query)).toThrow(expect.objectContaining({ code: 'unsupported_format' }))
    }
  })
})

describe('a stream of audio in Deepgram’s messages', () => {
  const dialect = (query = '') => {
    const settings = readListeningSettings(new URLSearchParams(`encoding=linear16&sample_rate=8000&${query}`))
    const created = createDeepgramListening({ ...settings, raw: settings.raw! })
    created.write({ event: 'ready', connection_id: '1', request_id: 'r', expires_at: '', limits: {} })
    return created
  }

  test('is begun with the settings of its address', () => {
    expect(dialect('interim_results=true&language=de&model=one').start).toEqual({
      ...{ event: 'start', encoding: 'pcm_s16le', sample_rate: 8_000, model: 'one', language: 'de' },
      ...{ interim_results: true, words: true },
    })
  })

  test('has results, and events only when they are requested', () => {
    const words = [{ text: 'Hello,', start_ms: 100, end_ms: 400 }]
    const transcript = { event: 'transcript', text: 'Hello,', final: true, start_ms: 40, end_ms: 1_240, words } as const
    const silent = dialect()
    expect(silent.write({ event: 'speech', started: true, at_ms: 40 })).toEqual([])
    silent.write({ event: 'started', model: 'sherpa-onnx/one', language: 'en' })
    const [results, ...others] = silent.write(transcript)
    expect(others).toEqual([])
    expect(results).toMatchObject({
      type: 'Results',
      start: 0.04,
      duration: 1.2,
      is_final: true,
      speech_final: true,
      from_finalize: false,
      channel: {
        alternatives: [
          { transcript: 'Hello,', words: [{ word: 'hello', punctuated_word: 'Hello,', start: 0.1, end: 0.4 }] },
        ],
      },
      metadata: { request_id: 'r', model_info: { name: 'sherpa-onnx/one', arch: 'sherpa-onnx' } },
    })

    const { read, write } = dialect('vad_events=true&utterance_end_ms=1000')
    expect(write({ event: 'speech', started: true, at_ms: 40 })).toEqual([
      { type: 'SpeechStarted', channel: [0, 1], timestamp: 0.04 },
    ])
    expect(read({ type: 'Finalize' })).toEqual([{ event: 'finalize' }])
    expect(write(transcript)).toMatchObject([
      { type: 'Results', from_finalize: true },
      { type: 'UtteranceEnd', last_word_end: 0.4 },
    ])
    expect(write(transcript)).toMatchObject([{ from_finalize: false }, {}])
  })

  test('ends with its metadata, and reports errors by our code', () => {
    const { read, write, onAudio } = dialect()
    onAudio?.(new Uint8Array(16_000))
    expect(read({ type: 'CloseStream' })).toEqual([{ event: 'close' }])
    expect(write({ event: 'done', audio_seconds_billed: 1 })).toMatchObject([
      { type: 'Metadata', request_id: 'r', duration: 1, channels: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    const error = { event: 'error', request_id: 'r', code: 'upstream_error', retryable: true, detail: 'No.' } as const
    expect(write(error)).toMatchObject([{ type: 'Error', description: 'No.', variant: 'upstream_error' }])
    expect(() => read({ type: 'Other' })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})

describe('a stream of speech in Deepgram’s messages', () => {
  const create = () => {
    const settings = readSpeechSettings(new URLSearchParams('tag=a'))
    const output = { format: 'pcm_s16le', sample_rate: 24_000 } as const
    const dialect = createDeepgramSpeech({ ...settings, voiceOfGrant: voiceId, output })
    const inShort = (messages: readonly object[]) =>
      messages.map((message) => Object.values(message).slice(0, 2).join(' '))
    return {
      client(type: string) {
        return inShort(dialect.read({ type, text: 'One.' }) as object[])
      },
      server: (event: string, turn?: number, more: object = {}) =>
        inShort(
          dialect.write({ event, ...(turn && { context_id: `turn-${turn}` }), ...more } as StreamServerMessage, {
            isOpen: () => false,
            textOf: () => '',
          }),
        ),
      endCode: () => dialect.endCode?.(),
    }
  }

  test('is one context for each reply, which ends with the text that follows its last audio', () => {
    const { client, server, endCode } = create()
    expect(client('Speak')).toEqual(['start turn-1', 'text turn-1'])
    expect(client('Speak')).toEqual(['text turn-1'])
    expect(client('Flush')).toEqual(['flush turn-1'])
    expect(client('Speak')).toEqual(['text turn-1'])
    expect(client('Flush')).toEqual(['flush turn-1'])
    expect(server('started', 1)).toEqual([])
    expect([server('flushed', 1), server('flushed', 1)]).toEqual([['Flushed 0'], ['Flushed 1']])
    expect(client('Speak')).toEqual(['end turn-1', 'start turn-2', 'text turn-2'])
    expect(server('done', 1)).toEqual([])
    expect([client('Close'), endCode()]).toEqual([['end turn-2'], 1000])
  })

  test('goes on with another context when it is cleared, and confirms what has nothing to do', () => {
    const { client, server } = create()
    expect(client('Flush')).toEqual(['start turn-1', 'flush turn-1'])
    expect(client('Clear')).toEqual(['cancel turn-1'])
    expect(server('cancelled', 1)).toEqual(['Cleared 0'])
    expect(client('Speak')).toEqual(['start turn-2', 'text turn-2'])
    expect(client('Clear')).toEqual(['cancel turn-2'])
    expect(client('Clear')).toEqual(['start turn-3', 'cancel turn-3'])
    expect(client('Close')).toEqual(['close'])
  })

  test('begins with its metadata and the names that are ignored, and reports errors without leaving a flush unanswered', () => {
    const { client, server } = create()
    expect(server('ready', undefined, { request_id: 'r' })).toEqual(['Metadata r', 'Warning IGNORED'])
    const error = (code: string) => server('error', 1, { code, detail: 'No.', request_id: 'r', retryable: false })
    client('Speak')
    server('started', 1)
    expect(error('text_too_long')).toEqual(['Warning text_too_long'])
    client('Flush')
    expect(error('insufficient_credit')).toEqual(['Error No.', 'Flushed 0'])
    expect(client('Speak')).toEqual(['start turn-2', 'text turn-2'])
  })
})

describe('on the gateway', () => {
  let gateway: OpenGateway
  const sockets: WebSocket[] = []
  beforeEach(async () => {
    gateway = await openGateway()
    gateway.fakes.voices = JSON.stringify({ voices: [ada], next_cursor: null })
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate()
    await gateway.close()
  })
  const token = { authorization: `Token ${keys.good}` }
  const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}${base}${path}`, { method: 'POST', headers: { ...token, ...headers }, body: body as string })

  /** A socket whose messages are waited for by their type; audio has the type `audio`. */
  const connect = async (path: string, protocols: string[] = [], options: ClientOptions = { headers: token }) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${base}${path}`, protocols, options)
    sockets.push(socket)
    const messages: Record<string, unknown>[] = []
    let wake = () => {}
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (code, reason) => resolve([code, String(reason)])),
    )
    socket.on('message', (data, isBinary) => {
      messages.push(isBinary ? { type: 'audio', bytes: (data as Buffer).length } : JSON.parse(String(data)))
      wake()
    })
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      let upgraded: Record<string, unknown> = {}
      socket.once('upgrade', ({ headers }) => {
        upgraded = headers
      })
      socket.once('open', () => resolve(upgraded))
      socket.on('error', () => {})
      socket.once('unexpected-response', (_request, response) => {
        response.setEncoding('utf8').once('data', (body: string) => reject(new Error(`${response.statusCode} ${body}`)))
      })
    })
    const next = async (type: string) => {
      for (;;) {
        const found = messages.find((message) => message.type === type)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    const send = (message: object) => socket.send(message instanceof Uint8Array ? message : JSON.stringify(message))
    return { headers, messages, next, send, closed, socket }
  }

  test('a recording is recognized, its settings that are ignored are named, and the audio is billed', async () => {
    gateway.transcription.durationMs = 64_000
    const response = await post('/v1/listen?model=nova-3&smart_format=true&utterances=true', 'audio', {
      'content-type': 'audio/wav',
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlance-ignored')).toBe('smart_format, model')
    expect(await response.json()).toMatchObject({
      metadata: { request_id: response.headers.get('dg-request-id'), duration: 64, channels: 1 },
      results: {
        channels: [{ alternatives: [{ transcript: 'Hello <there> & you. Good bye.', confidence: 1, words: [] }] }],
        utterances: [{ start: 0.25, end: 1.75 }, {}],
      },
    })
    expect(String(gateway.transcription.received[0]?.file)).toBe('audio')
    await gateway.allBilled()
    expect(gateway.reserver.holds).toHaveLength(1)
  })

  test('errors have the fields that Deepgram’s clients read', async () => {
    const url = await post('/v1/listen', '{"url":"https://example.com/a.wav"}', { 'content-type': 'application/json' })
    expect([url.status, await url.json()]).toMatchObject([
      400,
      { err_code: 'INVALID_REQUEST', code: 'invalid_request' },
    ])
    const unknown = await post('/v1/listen', 'audio', { authorization: 'Token awp_dev_none' })
    expect([unknown.status, await unknown.json()]).toMatchObject([401, { err_code: 'UNAUTHORIZED' }])
    const forbidden = await post('/v1/listen', 'audio', { authorization: `Token ${keys.withoutStt}` })
    expect(forbidden.status).toBe(403)
    const v2 = await post('/v2/speak?model=flux-alexis-en', '{"text":"Hello."}')
    expect([v2.status, await v2.json()]).toMatchObject([404, { err_msg: expect.stringContaining('version 2') }])
  })

  test('text is spoken by the best voice, in the form that was requested', async () => {
    const response = await post(
      '/v1/speak?model=aura-2-thalia-en&encoding=linear16&container=none',
      '{"text":"Hello."}',
      {
        'content-type': 'application/json',
      },
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlance-ignored')).toBe('model')
    expect(response.headers.get('dg-char-count')).toBe('6')
    expect(await response.text()).toBe('Hello.')
    expect(gateway.fakes.lastRequest).toMatchObject({ voice: voiceId, output: { format: 'pcm_s16le' } })
    expect(await charactersPaid(gateway.reserver)).toBe(6)
  })

  test('audio is recognized while it is spoken, and a key in the subprotocol opens the socket', async () => {
    const query = 'model=nova-3&encoding=mulaw&sample_rate=8000&interim_results=true'
    const { headers, next, send, closed, socket } = await connect(`/v1/listen?${query}`, ['token', keys.good], {})
    expect([socket.protocol, headers['x-parlance-ignored']]).toEqual(['token', 'model'])
    send(new Uint8Array(8_000))
    expect(await next('Results')).toMatchObject({ is_final: false })
    send({ type: 'CloseStream' })
    expect(await next('Metadata')).toMatchObject({ duration: 1 })
    expect(await closed).toEqual([1000, 'closed by the client'])
  })

  test('text is spoken while it is written, as bare audio', async () => {
    const { messages, next, send, closed } = await connect('/v1/speak?model=aura-2-thalia-en')
    send({ type: 'Speak', text: 'Hello there.' })
    send({ type: 'Flush' })
    expect(await next('Flushed')).toEqual({ type: 'Flushed', sequence_id: 0 })
    expect(messages.filter(({ type }) => type === 'audio').map(({ bytes }) => bytes)).toEqual([12])
    send({ type: 'Close' })
    expect(await closed).toEqual([1000, 'the last context is over'])
  })

  test('a stream is refused over HTTP for its key, its capability or its encoding', async () => {
    const statusOf = (path: string, key: string) =>
      connect(path, [], { headers: { authorization: `Token ${key}` } }).then(
        () => 101,
        ({ message }: Error) => Number(message.slice(0, 3)),
      )
    const listen = '/v1/listen?encoding=linear16&sample_rate=16000'
    expect(await statusOf(listen, 'none')).toBe(401)
    expect(await statusOf('/v1/listen', keys.good)).toBe(400)
    expect(await statusOf('/v2/listen', keys.good)).toBe(404)
    gateway.fakes.admission = 'capability_disabled'
    expect(await statusOf(listen, keys.good)).toBe(403)
    gateway.fakes.admission = 'insufficient_credit'
    expect(await statusOf(listen, keys.good)).toBe(402)
  })
})
