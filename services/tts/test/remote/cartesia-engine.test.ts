import { startLocalServer } from '@parlance/testing'
import { msPerCharacter, type SpeechStandIn, startCartesiaStandIn } from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { health, hear, kindOf, logOf } from './remote-scene.js'

const text = 'Well, it costs 12 euros.'

describe('Cartesia', () => {
  let standIn: SpeechStandIn
  let engine: Engine

  beforeEach(async () => {
    standIn = await startCartesiaStandIn()
    engine = await kindOf('cartesia').open(standIn.url, logOf())
  })
  afterEach(async () => {
    await engine.close()
    await standIn.close()
  })

  test('is called with its own protocol', async () => {
    await hear(engine, text, { language: 'en-GB' })
    expect(standIn.asked[0]!.body).toEqual({
      model_id: 'sonic-3',
      transcript: text,
      voice: { mode: 'id', id: 'a0e99841-438c-4a64-b679-000000000000' },
      language: 'en',
      context_id: expect.any(String),
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
      add_timestamps: true,
      add_phoneme_timestamps: true,
      use_normalized_timestamps: false,
      continue: false,
    })
  })

  test.each([
    [0.5, 0.6],
    [1.2, 1.2],
    [2, 1.5],
  ])('at speed %d is called with %d, within its limits', async (speed, asked) => {
    await hear(engine, text, { speed })
    expect(standIn.asked[0]!.body).toMatchObject({ generation_config: { speed: asked } })
  })

  test('speaks all at once on one socket, which is open before the first word', async () => {
    const before = standIn.openConnections()
    await Promise.all(Array.from({ length: 8 }, () => hear(engine, text)))
    expect(standIn.openConnections()).toBe(before)
    expect(standIn.busiest()).toBeGreaterThan(1)
    expect(new Set(standIn.asked.map(({ body }) => body.context_id)).size).toBe(8)
  })

  test('reports times of words and phonemes, found in the text without their punctuation', async () => {
    const { words, phonemes } = await hear(engine, text)
    expect(words.map(({ text }) => text)).toEqual(['Well', 'it', 'costs', '12', 'euros'])
    for (const { text: word, textStart, textEnd, startMs } of words) {
      expect(text.slice(textStart, textEnd)).toBe(word)
      expect(startMs).toBeCloseTo(textStart * msPerCharacter)
    }
    expect(phonemes).toHaveLength([...text.matchAll(/[a-z]/gi)].length)
    expect(phonemes[0]).toEqual({ ipa: 'ə', startMs: 0, endMs: msPerCharacter })
  })

  test('an error of one utterance on the socket does not affect the others, as long as its context is known', async () => {
    const whole = Promise.all(Array.from({ length: 3 }, () => hear(engine, text)))
    standIn.misbehave('ends within a sample', 1)
    const results = await Promise.allSettled([whole, hear(engine, text)])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
  })

  test('a lost socket fails the utterances in progress, and is opened again', async () => {
    const long = 'a long sentence of many words, '.repeat(10)
    standIn.misbehave('closes in the middle', 1)
    await expect(hear(engine, long)).rejects.toMatchObject({ code: 'upstream_error' })
    expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
  })

  test('lists its voices page by page', () => {
    expect(engine.voices).toHaveLength(120)
    expect(engine.voices[1]).toMatchObject({
      display_name: 'Voice 1',
      description: 'Made for tests',
      languages: ['en'],
      gender: 'male',
      created_at: '2025-03-04T05:06:07.000Z',
      variants: [{ id: 'sonic-3', alignment: ['word', 'phoneme', 'viseme'] }, { id: 'sonic-turbo' }],
    })
  })

  test('that refuses the socket is unhealthy until it accepts one', async () => {
    standIn.setWell(false)
    const voices = [{ id: 'a0e99841-438c-4a64-b679-000000000001', languages: ['en'] }]
    const other = await kindOf('cartesia').open(standIn.url, logOf(), { voices })
    expect(other.healthy()).toBe(false)
    expect(other.voices).toHaveLength(1)
    standIn.setWell(true)
    await health(other, true)
    expect((await hear(other, text)).audioMs).toBe(text.length * msPerCharacter)
    await other.close()
  })

  test.each([
    ['a redirect', 'HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\n'],
    ['a web page', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n'],
    ['no room', 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\n'],
    ['nonsense', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ])('that answers with %s where a socket was asked for is not healthy, and is not followed', async (_, head) => {
    const followed: (string | undefined)[] = []
    const server = await startLocalServer(({ url }) => followed.push(url))
    server.server.on('upgrade', (_request, socket) => void socket.end(`${head}content-length: 0\r\n\r\n`))
    const voices = [{ id: 'a0e99841-438c-4a64-b679-000000000001', languages: ['en'] }]
    const other = await kindOf('cartesia').open(server.url, logOf(), { voices })
    expect(other.healthy()).toBe(false)
    expect(followed).toEqual([])
    await other.close()
    await server.close()
  })
})
