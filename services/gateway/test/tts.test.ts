import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { wavHeader } from '@parlance/audio'
import { ServiceError, ttsJsonResponseSchema } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { chunksOf, spoken, voiceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

const hello = { text: 'Hello', voice_id: voiceId }
const tts = (body: unknown, options?: RequestInit) => gateway.post('/v1/tts', body, options)

/** Lets the test block and observe a fake synthesis. */
const createGate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('response_mode audio', () => {
  test('streams the audio with its type and its cost in the headers', async () => {
    const response = await tts(hello)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('Hello')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'transfer-encoding': 'chunked',
      'cache-control': 'no-store',
      'x-characters-billed': '5',
      'x-audio-sample-rate': '24000',
      // Both include some ms for finding a worker on a busy machine.
      'server-timing': expect.stringMatching(/^queue;dur=\d+\.13, ttfa;dur=\d+\.25$/),
    })
    const [queueMs, ttfaMs] = [...response.headers.get('server-timing')!.matchAll(/dur=([\d.]+)/g)].map(([, ms]) =>
      Number(ms),
    )
    expect(ttfaMs! - queueMs!).toBeCloseTo(3.12)
  })

  test('passes the request on to the speech service, with defaults filled in', async () => {
    await (await tts(hello)).arrayBuffer()
    expect(gateway.fakes.lastRequest).toEqual({
      workspace_id: workspaceId,
      text: 'Hello',
      cuts: [],
      private: false,
      voice: voiceId,
      variant: 'standard',
      language: null,
      output: { format: 'mp3', sample_rate: 24000, bit_rate: 64000 },
      speed: 1,
      volume: 1,
      alignment: [],
      purpose: 'one_shot',
      ended_processes: 0,
    })
  })

  test('bills code points, not units of UTF-16', async () => {
    const response = await tts({ ...hello, text: '😀é' })
    await response.arrayBuffer()
    expect(response.headers.get('x-characters-billed')).toBe('2')
  })

  test('markup is treated as plain text', async () => {
    const text = '<speak><break time="9s"/>&amp;</speak>'
    expect(await (await tts({ ...hello, text })).text()).toBe(text)
  })

  test('the first audio is sent before the rest is produced', async () => {
    const rest = createGate()
    gateway.fakes.synthesize = async function* (request) {
      const [started, first, ...others] = chunksOf(request, new Uint8Array(5000))
      yield started!
      yield first!
      await rest.opened
      yield* others
    }
    const response = await tts(hello)
    const reader = response.body!.getReader()
    expect((await reader.read()).value).toHaveLength(4096)
    rest.open()
    expect((await reader.read()).value).toHaveLength(904)
  })

  test('a failure before the first audio is a status', async () => {
    gateway.fakes.synthesize = async function* (request) {
      yield chunksOf(request)[0]!
      throw new ServiceError('capacity_exhausted', 'Every engine is busy. Try again.')
    }
    const response = await tts(hello)
    await expectError(response, 'capacity_exhausted', 'Every engine is busy')
    expect(response.headers.get('retry-after')).toBe('1')
  })

  test('a refusal for lack of capacity passes on the seconds to wait', async () => {
    gateway.fakes.synthesize = async function* () {
      throw new ServiceError('capacity_exhausted', 'Every engine is busy. Try again.', { retryAfterSeconds: 9 })
    }
    const response = await tts(hello)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '9'])
  })

  test('a failure after the first audio cuts the body off, and is logged', async () => {
    gateway.fakes.synthesize = async function* (request) {
      const [started, first] = chunksOf(request)
      yield started!
      yield first!
      throw new ServiceError('upstream_error', 'The engine ended.')
    }
    const response = await tts(hello)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow()
    // The line is written when the server sees the connection closed, a moment after the caller does.
    while (!gateway.lines.some(({ msg }) => msg === 'A request ended')) await delay(5)
    expect(gateway.lines).toContainEqual(
      expect.objectContaining({ msg: 'A request ended', status: 502, code: 'upstream_error' }),
    )
  })

  test('hanging up stops the synthesis', async () => {
    const stopped = createGate()
    gateway.fakes.synthesize = async function* (request, { signal }) {
      try {
        const [started, first] = chunksOf(request)
        yield started!
        yield first!
        await once(signal, 'abort')
      } finally {
        stopped.open()
      }
    }
    const caller = new AbortController()
    await tts(hello, { signal: caller.signal })
    caller.abort()
    await stopped.opened
  })

  test('hanging up before the first audio also stops the synthesis, and is not logged as a failure', async () => {
    const begun = createGate()
    const stopped = createGate()
    gateway.fakes.synthesize = async function* (_request, { signal }) {
      begun.open()
      await once(signal, 'abort')
      stopped.open()
    }
    const caller = new AbortController()
    const answer = tts(hello, { signal: caller.signal })
    await begun.opened
    caller.abort()
    await expect(answer).rejects.toThrow('aborted')
    await stopped.opened
    expect(gateway.lines).toEqual([expect.objectContaining({ msg: 'A request ended', status: 499 })])
  })

  test('a caller that does not read slows the synthesis down', async () => {
    let made = 0
    const stopped = createGate()
    gateway.fakes.synthesize = async function* (request) {
      try {
        for await (const chunk of spoken(request, new Uint8Array(64 * 1024 * 1024))) {
          made += 1
          yield chunk
        }
      } finally {
        stopped.open()
      }
    }
    const caller = httpRequest(`${gateway.url}/v1/tts`, {
      method: 'POST',
      headers: { authorization: 'Bearer awp_dev_good', 'content-type': 'application/json' },
    })
    caller.on('error', () => undefined)
    caller.end(JSON.stringify(hello))
    const [response] = await once(caller, 'response')
    // The produced amount stops growing: it is the same twice, with time in between to grow.
    let before = -1
    while (before !== made) {
      before = made
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(made).toBeLessThan((64 * 1024 * 1024) / 4096 / 2)
    response.destroy()
    await stopped.opened
  })
})

describe('response_mode json', () => {
  test('responds with the whole speech in one object', async () => {
    const text = 'x'.repeat(4999)
    const answer = ttsJsonResponseSchema.parse(await (await tts({ ...hello, text, response_mode: 'json' })).json())
    expect(Buffer.from(answer.audio_base64, 'base64').toString()).toBe(text)
    expect(answer).toMatchObject({
      output: { format: 'mp3', sample_rate: 24000, bit_rate: 64000 },
      audio_duration_ms: 200,
      characters_billed: 4999,
      alignment: { words: [], phonemes: [], visemes: [] },
    })
  })

  test('the base64 of a long speech is that of the whole', async () => {
    const audio = Uint8Array.from({ length: 300_001 }, (_, i) => i % 251)
    gateway.fakes.synthesize = (request) => spoken(request, audio)
    const response = await tts({ ...hello, response_mode: 'json' })
    const body = await response.text()
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    expect(Buffer.from(JSON.parse(body).audio_base64, 'base64')).toEqual(Buffer.from(audio))
  })

  test('contains only the requested kinds of alignment', async () => {
    const body = { ...hello, response_mode: 'json', alignment: ['word', 'viseme', 'word'] }
    const { alignment } = ttsJsonResponseSchema.parse(await (await tts(body)).json())
    expect(alignment).toMatchObject({ words: [{ text: 'a' }], phonemes: [], visemes: [{ id: 'aa' }] })
    expect(gateway.fakes.lastRequest?.alignment).toEqual(['word', 'viseme'])
  })

  test('a complete WAV has its true sizes, and a streamed one has unknown sizes', async () => {
    const wav = Buffer.concat([wavHeader({ sampleRateHz: 24000, dataBytes: undefined }), Buffer.alloc(6000)])
    gateway.fakes.synthesize = (request) => spoken(request, wav)
    const body = { ...hello, output: { format: 'wav' } }
    const { audio_base64 } = (await (await tts({ ...body, response_mode: 'json' })).json()) as { audio_base64: string }
    const collected = Buffer.from(audio_base64, 'base64')
    expect(collected.readUInt32LE(4)).toBe(collected.length - 8)
    expect(collected.readUInt32LE(40)).toBe(6000)
    const streamed = Buffer.from(await (await tts(body)).arrayBuffer())
    expect(streamed.readUInt32LE(40)).toBe(0xffffffff)
  })

  test('a failure after the first audio is a status', async () => {
    gateway.fakes.synthesize = async function* (request) {
      yield* chunksOf(request).slice(0, 2)
      throw new ServiceError('upstream_timeout', 'The engine hung.')
    }
    await expectError(await tts({ ...hello, response_mode: 'json' }), 'upstream_timeout')
  })
})
