import { ServiceError } from '@parlance/contracts'
import OpenAI, { toFile } from 'openai'
import { expectError } from './expect-error.js'
import { keys, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { type FormFields, formOf, transcriptionsPath as path, sendForm, sound, whisper } from './transcription-form.js'

let gateway: OpenGateway
let openai: OpenAI
beforeEach(async () => {
  gateway = await openGateway()
  openai = new OpenAI({ apiKey: keys.good, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterEach(() => gateway.close())

const recording = () => toFile(sound, 'recording.wav')

const send = (fields: FormFields, options: Parameters<typeof sendForm>[2] = {}) => sendForm(gateway, fields, options)

const text = 'Hello <there> & you. Good bye.'
const usage = { type: 'duration', seconds: 3_725 }

describe("OpenAI's own client", () => {
  const create = async (response_format: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt') =>
    (await openai.audio.transcriptions.create({
      file: await recording(),
      model: 'whisper-1',
      response_format,
    })) as unknown

  test('gets the text of a file, which arrives unchanged', async () => {
    expect(await create('json')).toEqual({ text, usage })
    const [received] = gateway.transcription.received
    expect(received!.file.equals(sound)).toBe(true)
    expect(received!.request).toMatchObject({ workspace_id: workspaceId, recognizer: null, language: null })
  })

  test('gets plain text', async () => {
    expect(await create('text')).toBe(`${text}\n`)
  })

  test('gets the segments with their times in seconds', async () => {
    expect(await create('verbose_json')).toMatchObject({
      task: 'transcribe',
      language: 'english',
      duration: 3_724.001,
      text,
      segments: [
        { id: 0, start: 0.25, end: 1.75, text: 'Hello <there> & you.' },
        { id: 1, start: 61, end: 3_723.004, text: 'Good bye.' },
      ],
      usage,
    })
  })

  test('gets subtitles as SRT', async () => {
    expect(await create('srt')).toBe(
      '1\n00:00:00,250 --> 00:00:01,750\nHello <there> & you.\n\n' + '2\n00:01:01,000 --> 01:02:03,004\nGood bye.\n\n',
    )
  })

  test('gets subtitles as WebVTT, in which markup is escaped', async () => {
    expect(await create('vtt')).toBe(
      'WEBVTT\n\n00:00:00.250 --> 00:00:01.750\nHello &lt;there&gt; &amp; you.\n\n' +
        '00:01:01.000 --> 01:02:03.004\nGood bye.\n\n',
    )
  })

  test('gets the parts of the text as events, and then the whole', async () => {
    const stream = await openai.audio.transcriptions.create({
      file: await recording(),
      model: 'gpt-4o-transcribe',
      stream: true,
    })
    const events: unknown[] = []
    for await (const event of stream) events.push(event)
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'Hello <there> & you.' },
      { type: 'transcript.text.delta', delta: ' Good bye.' },
      { type: 'transcript.text.done', text, usage },
    ])
  })

  test('gets an error in the middle of a stream', async () => {
    Object.assign(gateway.transcription, { failure: new ServiceError('upstream_error', 'It broke.'), failsAfter: 1 })
    const stream = await openai.audio.transcriptions.create({
      file: await recording(),
      model: 'whisper-1',
      stream: true,
    })
    const events: unknown[] = []
    const read = async () => {
      for await (const event of stream) events.push(event)
    }
    await expect(read()).rejects.toThrow('It broke.')
    expect(events).toHaveLength(1)
  })
})

describe('a form', () => {
  test.each([
    ['another model, by its name', [['model', 'pocketsphinx']], { recognizer: 'pocketsphinx', language: null }],
    ['a language', [...whisper, ['language', 'de-AT']], { recognizer: null, language: 'de-AT' }],
    [
      'fields without effect',
      [...whisper, ['prompt', 'Names: Ada'], ['temperature', '0.6986204092418701'], ['chunking_strategy', 'auto']],
      { recognizer: null, language: null },
    ],
    [
      'times of segments',
      [...whisper, ['response_format', 'verbose_json'], ['timestamp_granularities[]', 'segment']],
      { recognizer: null, language: null },
    ],
  ] as const)('may request %s', async (_what, fields, request) => {
    const response = await send(fields)
    expect(response.status).toBe(200)
    expect(gateway.transcription.received[0]!.request).toMatchObject({ workspace_id: workspaceId, ...request })
  })

  test.each([
    ['logprobs', [['include[]', 'logprobs']], 'include[]'],
    ['names of speakers', [['known_speaker_names[]', 'Ada']], 'known_speaker_names[]'],
    ['a strategy', [['chunking_strategy', 'auto']], 'chunking_strategy'],
    ['a strategy with settings', [['chunking_strategy[type]', 'server_vad']], 'chunking_strategy[type]'],
    [
      'a prompt and a temperature of streamed text',
      [
        ['prompt', 'Names: Ada'],
        ['temperature', '0.2'],
        ['stream', 'true'],
      ],
      'prompt, temperature',
    ],
    [
      'times of words',
      [
        ['response_format', 'verbose_json'],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
      ],
      'timestamp_granularities[]=word',
    ],
  ] as const)('with %s ignores them, which a header reports', async (_what, fields, ignored) => {
    const response = await send([...whisper, ...fields])
    await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parlance-ignored')).toBe(ignored)
  })

  test('without such fields has no such header', async () => {
    const response = await send([
      ...whisper,
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'segment'],
    ])
    expect(response.headers.has('x-parlance-ignored')).toBe(false)
    expect(await response.json()).toMatchObject({ segments: [{ id: 0 }, { id: 1 }] })
  })

  test.each([
    ['no model', [], 'model: is required'],
    ['two models', [...whisper, ['model', 'tts-1']], 'model: was sent more than once'],
    ['an unknown field', [...whisper, ['color', 'red']], 'Unknown field: color'],
    ['an unknown response format', [...whisper, ['response_format', 'xml']], 'response_format'],
    ['an invalid language', [...whisper, ['language', 'English!']], 'language'],
    ['an invalid temperature', [...whisper, ['temperature', 'warm']], 'temperature'],
    ['a stream of subtitles', [...whisper, ['stream', 'true'], ['response_format', 'srt']], 'stream'],
    ['an invalid value of stream', [...whisper, ['stream', 'yes']], 'stream'],
    ['times in plain JSON', [...whisper, ['timestamp_granularities[]', 'segment']], 'verbose_json'],
    ['a very long field', [...whisper, ['prompt', 'x'.repeat(70_000)]], 'prompt: is too long'],
    ['many fields', Array.from({ length: 40 }, (_, n) => [`field${n}`, ''] as const), 'more than 32 fields'],
  ] as const)('with %s is refused', async (_what, fields, detail) => {
    await expectError(await send(fields), 'invalid_request', detail)
    expect(gateway.transcription.received).toEqual([])
    expect(gateway.reserver.holds).toEqual([])
  })

  test('without a file, and with an empty one, is refused', async () => {
    await expectError(await send(whisper, { file: null }), 'invalid_request', 'file: is required')
    await expectError(await send(whisper, { file: Buffer.alloc(0) }), 'invalid_request', 'file: The file is empty.')
  })

  test('with a file of more than 25 MiB is refused, whether its length is known at once or not', async () => {
    const file = new Uint8Array(25 * 1024 * 1024 + 1)
    await expectError(await send(whisper, { file }), 'payload_too_large', '25 MiB')
    const parts = new Blob([await new Response(formOf(whisper, file)).arrayBuffer()])
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.good}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: parts.stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(gateway.transcription.received).toEqual([])
  })

  test.each([
    ['application/json', '{}', 'unsupported_media_type'],
    ['multipart/form-data', 'x', 'invalid_request'],
    ['multipart/form-data; boundary=b', 'no form', 'invalid_request'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhi',
      'invalid_request',
    ],
  ] as const)('of type %s with %s is refused', async (type, body, code) => {
    const response = await gateway.post(path, body, { headers: { 'content-type': type } })
    await expectError(response, code)
  })

  test('is refused while a disabled capability, a missing key or no credit forbids it', async () => {
    const headers = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
    await expectError(await send(whisper, headers(keys.withoutTts)), 'capability_disabled')
    await expectError(await send(whisper, headers('awp_no')), 'unauthorized')
    gateway.fakes.admission = 'insufficient_credit'
    await expectError(await send(whisper), 'insufficient_credit')
    expect(gateway.transcription.received).toEqual([])
  })
})

test('an error of the recognizer has OpenAI’s form, with the time to wait', async () => {
  gateway.transcription.failure = new ServiceError('capacity_exhausted', 'All are busy.', { retryAfterSeconds: 7 })
  const response = await send(whisper)
  expect(response.headers.get('retry-after')).toBe('7')
  expect(await response.json()).toMatchObject({
    code: 'capacity_exhausted',
    error: { message: 'All are busy.', type: 'server_error' },
  })
  expect(gateway.reserver.holds).toEqual([])
})

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'recording-1' }

  test('gets the same response for the same form with another boundary, and is billed once', async () => {
    const first = await send(whisper, { headers })
    const again = await send(whisper, { headers })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('x-seconds-billed')).toBe('3725')
    expect(await again.text()).toBe(await first.text())
    expect(gateway.reserver.holds).toHaveLength(1)
  })

  test('is a conflict for another file, and for another field', async () => {
    await send(whisper, { headers })
    await expectError(await send(whisper, { headers, file: Buffer.from('other') }), 'idempotency_conflict')
    await expectError(await send([...whisper, ['language', 'en']], { headers }), 'idempotency_conflict')
  })

  test('has no effect on a stream', async () => {
    const fields = [...whisper, ['stream', 'true']] as const
    for (const _attempt of [1, 2]) await (await send(fields, { headers })).text()
    expect(gateway.transcription.received).toHaveLength(2)
  })
})
