import { ServiceError } from '@parlance/contracts'
import OpenAI from 'openai'
import { expectError } from './expect-error.js'
import { chunksOf, keys, voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
let openai: OpenAI
beforeEach(async () => {
  gateway = await openGateway()
  openai = new OpenAI({ apiKey: keys.good, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterEach(() => gateway.close())

const hello = { model: 'tts-1', voice: 'Ada', input: 'Hello' } as const
const speech = (body: unknown) => gateway.post('/v1/audio/speech', body)

describe("OpenAI's own client", () => {
  test('gets audio with only its base URL changed', async () => {
    const response = await openai.audio.speech.create(hello)
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(await response.text()).toBe('Hello')
    expect(gateway.fakes.lastRequest).toMatchObject({ text: 'Hello', voice: voiceId, variant: 'standard' })
  })

  test.each([
    ['mp3', { format: 'mp3', sample_rate: 24000 }],
    ['opus', { format: 'opus', sample_rate: 48000 }],
    ['flac', { format: 'flac', sample_rate: 24000 }],
    ['wav', { format: 'wav', sample_rate: 24000 }],
    ['pcm', { format: 'pcm_s16le', sample_rate: 24000 }],
  ] as const)('gets %s as OpenAI defines it', async (response_format, output) => {
    await (await openai.audio.speech.create({ ...hello, response_format })).arrayBuffer()
    expect(gateway.fakes.lastRequest?.output).toMatchObject(output)
  })

  test('gets an error of the class and with the code that it can match on', async () => {
    const failure = await openai.audio.speech.create({ ...hello, speed: 9 }).catch((error) => error)
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
    expect(failure.status).toBe(400)
    await expect(new OpenAI({ apiKey: 'sk-none', baseURL: openai.baseURL }).audio.speech.create(hello)).rejects.toThrow(
      OpenAI.AuthenticationError,
    )
  })

  test('shows the text, the code and the type of an error', async () => {
    const refused = (work: Promise<unknown>) =>
      work.then(() => undefined).catch((error: InstanceType<typeof OpenAI.APIError>) => error)
    const noInput = await refused(openai.audio.speech.create({ ...hello, input: undefined as unknown as string }))
    expect(noInput).toMatchObject({ code: 'invalid_request', type: 'invalid_request_error', param: null })
    expect(noInput!.message).toBe('400 input: is required')
    const stranger = new OpenAI({ apiKey: 'sk-none', baseURL: openai.baseURL, maxRetries: 0 })
    expect(await refused(stranger.audio.speech.create(hello))).toMatchObject({
      code: 'unauthorized',
      type: 'authentication_error',
      message: expect.stringMatching(/^401 \w/),
    })
    gateway.fakes.synthesize = async function* () {
      throw new ServiceError('capacity_exhausted', 'All are busy.')
    }
    expect(await refused(openai.audio.speech.create(hello))).toMatchObject({
      code: 'capacity_exhausted',
      type: 'server_error',
      message: '503 All are busy.',
    })
    expect(await refused(openai.models.retrieve('whisper-9'))).toMatchObject({
      code: 'not_found',
      message: '404 There is no such model. GET /v1/models lists all models.',
    })
  })
})

test('streams the events of OpenAI, with a character as a token', async () => {
  const response = await speech({ ...hello, stream_format: 'sse' })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await response.text()).toBe(
    'event: speech.audio.delta\n' +
      `data: {"type":"speech.audio.delta","audio":"${btoa('Hello')}"}\n\n` +
      'event: speech.audio.done\n' +
      'data: {"type":"speech.audio.done","usage":{"input_tokens":5,"output_tokens":0,"total_tokens":5}}\n\n',
  )
})

test('a failure in the middle of the events is the last of them', async () => {
  gateway.fakes.synthesize = async function* (request) {
    yield* chunksOf(request).slice(0, 2)
    throw new ServiceError('upstream_error', 'The engine ended.')
  }
  const text = await (await speech({ ...hello, stream_format: 'sse' })).text()
  expect(text).toMatch(/event: error\ndata: \{"event":"error",.*"code":"upstream_error".*\}\n\n$/)
  expect(text).toContain('"error":{"message":"The engine ended.","type":"server_error","code":"upstream_error"')
})

describe('speech as AAC', () => {
  const sampleRateHz = 24_000
  const tone = Int16Array.from(
    { length: 2 * sampleRateHz },
    (_, n) => 8_000 * Math.sin((2 * Math.PI * 440 * n) / sampleRateHz),
  )
  beforeEach(() => {
    gateway.fakes.synthesize = async function* (request) {
      yield* chunksOf(request, Buffer.from(tone.buffer))
    }
  })

  /** The lengths of ADTS frames, each of 1,024 samples. Throws where one does not begin where the one before ends. */
  const framesOf = (bytes: Buffer): number[] => {
    const lengths: number[] = []
    for (let at = 0; at < bytes.length; at += lengths.at(-1)!) {
      if (bytes.readUInt16BE(at) >> 4 !== 0xfff) throw new Error(`there is no frame at ${at}`)
      lengths.push((bytes.readUInt32BE(at + 3) >> 13) & 0x1fff)
    }
    return lengths
  }
  const secondsOf = (bytes: Buffer): number => (framesOf(bytes).length * 1024) / sampleRateHz

  test('is made of PCM, with nothing missing', async () => {
    const response = await openai.audio.speech.create({ ...hello, response_format: 'aac' })
    expect(response.headers.get('content-type')).toBe('audio/aac')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(gateway.fakes.lastRequest?.output).toMatchObject({ format: 'pcm_s16le', sample_rate: sampleRateHz })
    expect(secondsOf(bytes)).toBeGreaterThanOrEqual(2)
    expect(secondsOf(bytes)).toBeLessThan(2.2)
  })

  test('is sent as events too', async () => {
    const text = await (await speech({ ...hello, response_format: 'aac', stream_format: 'sse' })).text()
    const parts = [...text.matchAll(/"audio":"([^"]*)"/g)].map(([, part]) => Buffer.from(part!, 'base64'))
    expect(secondsOf(Buffer.concat(parts))).toBeGreaterThanOrEqual(2)
    expect(text).toMatch(/event: speech\.audio\.done\n.*\n\n$/)
  })

  test('that fails before its audio is an error with its status', async () => {
    gateway.fakes.synthesize = async function* () {
      throw new ServiceError('capacity_exhausted', 'All are busy.')
    }
    await expectError(await speech({ ...hello, response_format: 'aac' }), 'capacity_exhausted')
  })
})

test.each(['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'])('the model %s takes the first variant', async (model) => {
  await (await speech({ ...hello, model })).arrayBuffer()
  expect(gateway.fakes.lastRequest?.variant).toBe('standard')
})

test.each([
  [0.25, 0.5],
  [1.5, 1.5],
  [4, 2],
])('the speed %d is applied as %d, which a header reports', async (speed, applied) => {
  const response = await speech({ ...hello, speed })
  await response.arrayBuffer()
  expect(response.headers.get('x-speed-applied')).toBe(String(applied))
  expect(gateway.fakes.lastRequest?.speed).toBe(applied)
})

test('instructions are ignored, which a header reports', async () => {
  const response = await speech({ ...hello, instructions: 'Whisper.' })
  await response.arrayBuffer()
  expect(response.status).toBe(200)
  expect(response.headers.get('x-parlance-ignored')).toBe('instructions')
  const plain = await speech(hello)
  await plain.arrayBuffer()
  expect(plain.headers.has('x-parlance-ignored')).toBe(false)
})

test('any other model is a variant', async () => {
  await (await speech({ ...hello, model: 'expensive' })).arrayBuffer()
  expect(gateway.fakes.lastRequest?.variant).toBe('expensive')
})

test.each([voiceId, 'Ada', { id: voiceId }])('the voice %j is requested by its id, in its lane', async (voice) => {
  await (await speech({ ...hello, voice })).arrayBuffer()
  expect(gateway.fakes.lastRequest?.voice).toBe(voiceId)
})

test.each([
  ['an unknown format', { ...hello, response_format: 'midi' }, 'invalid_request', 'response_format'],
  ['a speed that OpenAI does not have', { ...hello, speed: 0.2 }, 'invalid_request', 'speed'],
  ['no input', { model: 'tts-1', voice: 'Ada' }, 'invalid_request', 'input: is required'],
  ['too long an input', { ...hello, input: 'x'.repeat(5001) }, 'text_too_long', 'input'],
  ['an unknown field', { ...hello, text: 'Hello' }, 'invalid_request', 'text'],
  ['a voice that is not a name', { ...hello, voice: 7 }, 'invalid_request', 'voice'],
] as const)('%s is refused', async (_what, body, code, detail) => {
  await expectError(await speech(body), code, detail)
})
