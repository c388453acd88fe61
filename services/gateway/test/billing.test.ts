import { once } from 'node:events'
import { contentType } from '@parlance/audio'
import { ServiceError, type SynthesisChunk, ttsRequestSchema } from '@parlance/contracts'
import { createPace } from '../src/synthesis/speech.js'
import { fromTtsRequest } from '../src/synthesis/synthesis-request.js'
import { expectError } from './expect-error.js'
import { chunksOf, keyId, type Synthesize, spoken, voiceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

/** Two sentences that are too long for one segment. */
const firstSentence = `Say 😀${' and so on'.repeat(28)}.`
const text = `${firstSentence} Then say it again.`
const characters = [...text].length
const firstCharacters = [...firstSentence].length
/** The prices of the voice's two variants for one character, in billionths of a credit. */
const [standard, expensive] = [15_000n, 1_500_000n]

interface Way {
  path: string
  body: object
}
const ways: [string, Way][] = [
  ['audio', { path: '/v1/tts', body: { text, voice_id: voiceId } }],
  ['sse', { path: '/v1/tts', body: { text, voice_id: voiceId, response_mode: 'sse' } }],
  ['json', { path: '/v1/tts', body: { text, voice_id: voiceId, response_mode: 'json' } }],
  ["OpenAI's audio", { path: '/v1/audio/speech', body: { input: text, voice: 'Ada', model: 'tts-1' } }],
  [
    "OpenAI's events",
    { path: '/v1/audio/speech', body: { input: text, voice: 'Ada', model: 'tts-1', stream_format: 'sse' } },
  ],
]

const speak = ({ path, body }: Way, options?: RequestInit) => gateway.post(path, body, options)

const settled = (billed: number, price = standard) => ({
  workspaceId,
  amountNano: BigInt(characters) * price,
  endings: [
    {
      chargeNano: BigInt(billed) * price,
      usage: { kind: 'tts', key_id: keyId, agent_id: null, quantities: { tts_characters: billed } },
    },
  ],
})
const released = { workspaceId, amountNano: BigInt(characters) * standard, endings: ['released'] }

/** The bill is closed when the answer ends, or soon after. */
const expectHolds = async (...holds: object[]): Promise<void> => {
  while (gateway.reserver.holds.some(({ endings }) => endings.length === 0)) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  // A second end of the same reservation would follow at once.
  await new Promise((resolve) => setImmediate(resolve))
  expect(gateway.reserver.holds).toEqual(holds)
}

type AudioChunk = Extract<SynthesisChunk, { event: 'audio' }>

/** More chunks than a stream sends before the first of them was consumed. */
const moreThanWaits = 256

/**
 * The first segment, and audio of the second; then what `rest` does. As the producer is held back by what was not
 * consumed, the first segment has reached the gateway by then.
 */
const breakOffWith = (rest: (signal: AbortSignal) => Promise<unknown>): Synthesize =>
  async function* (request, { signal }) {
    const [started, audio] = chunksOf(request, Buffer.from('x'))
    yield started!
    yield audio!
    yield { event: 'segment', segment: 0, characters: firstCharacters }
    for (let n = 1; n <= moreThanWaits; n++) yield { ...(audio as AudioChunk), segment: 1, seq: n, start_ms: 100 * n }
    await rest(signal)
  }

describe.each(ways)('%s', (name, way) => {
  test('pays for the whole text once it is spoken', async () => {
    const response = await speak(way)
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    await expectHolds(settled(characters))
  })

  test('does not contain the segments by which it is billed', async () => {
    expect(await (await speak(way)).text()).not.toMatch(/event"?: ?"?segment/)
  })

  test.each(['insufficient_credit', 'unavailable'] as const)(
    'without credit (%s) is never synthesized',
    async (code) => {
      gateway.reserver.refuseWith = code
      const response = await speak(way)
      await expectError(response, code)
      expect(response.headers.get('retry-after')).toBe(code === 'unavailable' ? '1' : null)
      expect(gateway.fakes.lastRequest).toBeUndefined()
      expect(gateway.reserver.holds).toEqual([])
    },
  )

  test('pays nothing for a failure before the first byte', async () => {
    gateway.fakes.synthesize = async function* (request) {
      yield chunksOf(request)[0]!
      throw new ServiceError('capacity_exhausted', 'Every engine is busy. Try again.')
    }
    await expectError(await speak(way), 'capacity_exhausted')
    await expectHolds(released)
  })

  test('pays for the sent segments when it fails; a JSON response has sent none', async () => {
    gateway.fakes.synthesize = breakOffWith(async () => {
      throw new ServiceError('upstream_error', 'The engine ended.')
    })
    await speak(way)
      .then((response) => response.arrayBuffer(), String)
      .catch(String)
    await expectHolds(name === 'json' ? released : settled(firstCharacters))
  })

  test('pays for the sent part when its caller disconnects; a JSON response has sent nothing', async () => {
    const caller = new AbortController()
    gateway.fakes.synthesize = breakOffWith(async (signal) => {
      caller.abort()
      await once(signal, 'abort')
    })
    await expect(speak(way, { signal: caller.signal }).then((response) => response.arrayBuffer())).rejects.toThrow()
    await expectHolds(name === 'json' ? released : settled(characters))
  })

  test('pays for the text up to the word that its audio reached when its caller disconnects within a segment', async () => {
    const caller = new AbortController()
    const long = 'These six words are just alike, and nothing of this is reached.'
    gateway.fakes.synthesize = async function* (request, { signal }) {
      const [started, audio] = chunksOf(request, Buffer.from('x'))
      yield started!
      yield { ...(audio as AudioChunk), duration_ms: 700 }
      // The caller hangs up when it has the audio. A JSON response sends none before its end.
      if (name === 'json') caller.abort()
      await once(signal, 'abort')
    }
    const { path, body } = way
    const field = 'input' in body ? 'input' : 'text'
    const response = gateway.post(path, { ...body, [field]: long }, { signal: caller.signal })
    if (name === 'json') await expect(response).rejects.toThrow()
    else {
      await (await response).body!.getReader().read()
      caller.abort()
    }
    while (gateway.reserver.holds[0]?.endings.length !== 1) await new Promise(setImmediate)
    expect(gateway.reserver.holds[0].endings).toEqual(
      name === 'json'
        ? ['released']
        : [
            expect.objectContaining({
              usage: expect.objectContaining({ quantities: { tts_characters: 'These six words'.length } }),
            }),
          ],
    )
  })

  test('pays nothing when its caller disconnects before any audio', async () => {
    const caller = new AbortController()
    gateway.fakes.synthesize = async function* (_request, { signal }) {
      caller.abort()
      await once(signal, 'abort')
    }
    await expect(speak(way, { signal: caller.signal })).rejects.toThrow('aborted')
    await expectHolds(released)
  })
})

test.each([
  ['mp3', true],
  ['opus', true],
  ['flac', true],
  ['ulaw', true],
  ['alaw', true],
  ['wav', false],
  ['pcm_s16le', false],
] as const)(
  'after each second of %s it is %s that the next one waits until a hang-up can be noticed',
  (format, waits) => {
    const parsed = ttsRequestSchema.parse({ text, voice_id: voiceId, output: { format } })
    const request = { ...fromTtsRequest(parsed), workspace_id: workspaceId, cuts: [], private: false }
    const { signal } = new AbortController()
    const type = contentType(format)
    const pace = createPace({ request, type, characters, signal, speak: async () => {} })
    for (let second = 0; second < 3; second++) {
      expect(pace(undefined, 600)).toBeUndefined()
      expect(pace(undefined, 600) instanceof Promise).toBe(waits)
    }
  },
)

test('a caller that disconnects before its credit is reserved pays nothing, and nothing is spoken', async () => {
  const caller = new AbortController()
  const gone = new Promise<void>((resolve) => {
    gateway.reserver.beforeReserving = async () => {
      caller.abort()
      while (gateway.lines.length === 0) await new Promise((wait) => setImmediate(wait))
      resolve()
    }
  })
  const answer = gateway.post('/v1/tts', { text, voice_id: voiceId }, { signal: caller.signal })
  await expect(answer).rejects.toThrow('aborted')
  await gone
  await expectHolds(released)
  expect(gateway.fakes.lastRequest).toBeUndefined()
})

test('each variant has its price', async () => {
  const body = { text, voice_id: voiceId, tts_variant: 'expensive' }
  await (await gateway.post('/v1/tts', body)).arrayBuffer()
  await expectHolds(settled(characters, expensive))
})

test('a voice, variant or language that does not exist is refused before any credit is reserved', async () => {
  await expectError(await gateway.post('/v1/tts', { text, voice_id: '0'.repeat(32) }), 'voice_not_found')
  const body = { text, voice_id: voiceId, tts_variant: 'fancy' }
  await expectError(await gateway.post('/v1/tts', body), 'invalid_request', /^tts_variant: .*standard, expensive/)
  const inSwedish = { text, voice_id: voiceId, language: 'sv' }
  await expectError(await gateway.post('/v1/tts', inSwedish), 'invalid_request', /^language: the voice Ada speaks en/)
  expect(gateway.reserver.holds).toEqual([])
  expect(gateway.fakes.lastRequest).toBeUndefined()
})

test('a known voice is cached for a while, and an unknown one is looked up every time', async () => {
  for (let n = 0; n < 3; n++) await (await gateway.post('/v1/tts', { text, voice_id: voiceId })).arrayBuffer()
  expect(gateway.fakes.looked).toEqual([voiceId])
  const unknownVoice = { text, voice_id: '0'.repeat(32) }
  for (let n = 0; n < 2; n++) await expectError(await gateway.post('/v1/tts', unknownVoice), 'voice_not_found')
  expect(gateway.fakes.looked).toEqual([voiceId, unknownVoice.voice_id, unknownVoice.voice_id])
})

test('a JSON response is synthesized and paid once for an Idempotency-Key, and a stream every time', async () => {
  const headers = { 'idempotency-key': 'order-1' }
  const inOnePiece = { text, voice_id: voiceId, response_mode: 'json' }
  const first = await gateway.post('/v1/tts', inOnePiece, { headers })
  const again = await gateway.post('/v1/tts', inOnePiece, { headers })
  expect(await again.text()).toBe(await first.text())
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.headers.get('x-characters-billed')).toBe(String(characters))
  await expectHolds(settled(characters))

  for (let n = 0; n < 2; n++) {
    const response = await gateway.post('/v1/tts', { text, voice_id: voiceId }, { headers })
    await response.arrayBuffer()
    expect(response.headers.get('idempotency-replayed')).toBeNull()
  }
  await expectHolds(settled(characters), settled(characters), settled(characters))
})

test('a speech that failed is tried again with the same Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'order-2' }
  const body = { text, voice_id: voiceId, response_mode: 'json' }
  gateway.fakes.synthesize = breakOffWith(async () => {
    throw new ServiceError('upstream_error', 'The engine ended.')
  })
  await expectError(await gateway.post('/v1/tts', body, { headers }), 'upstream_error')
  gateway.fakes.synthesize = (request) => spoken(request)
  expect((await gateway.post('/v1/tts', body, { headers })).status).toBe(200)
  await expectHolds(released, settled(characters))
})
