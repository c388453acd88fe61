import {
  msPerCharacter,
  type OpenaiSpeechOptions,
  type SpeechStandIn,
  startOpenaiSpeechStandIn,
} from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { openaiEngineConfig, openOpenaiEngines } from '../../src/remote/openai-engine.js'
import { contextOf, hear, kindOf, logOf } from './remote-scene.js'

const text = 'Something to be said.'
const models = [{ id: 'tts-1', credit_per_1k_characters: '0.015' }]

describe('an OpenAI-compatible server', () => {
  let standIn: SpeechStandIn
  let engine: Engine | undefined

  const given = async (config: Record<string, unknown> = {}, options: OpenaiSpeechOptions = {}) => {
    standIn = await startOpenaiSpeechStandIn(options)
    engine = await kindOf('openai').open(standIn.url, logOf(), config)
    return engine
  }
  afterEach(async () => {
    await engine?.close()
    await standIn.close()
  })

  test('is called with its own protocol', async () => {
    const engine = await given()
    await hear(engine, text, { speed: 1.5 })
    expect(standIn.asked[0]!.body).toEqual({
      model: 'tts-1',
      input: text,
      voice: 'af_heart',
      response_format: 'pcm',
      stream_format: 'audio',
      speed: 1.5,
    })
  })

  test('may send a WAV, with or without its length', async () => {
    const engine = await given({ response_format: 'wav' })
    expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
  })

  test('that sends a WAV instead of the requested samples is not played as noise', async () => {
    const engine = await given()
    standIn.misbehave('sends a WAV unasked')
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test('has the voices of its list, with the properties in their names and fields', async () => {
    const { voices } = await given({ default_language: 'de', license: 'Apache-2.0' })
    const shown = voices.map(({ display_name, languages, gender, license }) => [
      display_name,
      languages,
      gender,
      license,
    ])
    expect(shown).toEqual([
      ['af_heart', ['en-US'], 'female', 'Apache-2.0'],
      ['bm_george', ['en-GB'], 'male', 'Apache-2.0'],
      ['Plain', ['de'], 'neutral', 'Apache-2.0'],
    ])
    // The first half of the SHA-256 of `cloud`, a line's end and `af_heart`.
    expect(voices[0]!.id).toBe('793b2d40545c17eb39d4b4b4a1eef124')
    expect(voices[0]!.variants).toMatchObject([
      { id: 'tts-1', alignment: ['word'] },
      { id: 'kokoro', alignment: ['word'] },
    ])
  })

  test('may list only names', async () => {
    const { voices } = await given({}, { list: { voices: ['zf_xiaobei', 'zf_xiaobei', 'echo'] } })
    expect(voices.map(({ display_name, languages }) => [display_name, languages])).toEqual([
      ['zf_xiaobei', ['zh']],
      ['echo', ['en']],
    ])
  })

  test.each([{}, { voices: [] }, { voices: [{}] }, [], null, { voices: 'all' }])(
    'that lists voices as %j is not healthy',
    async (list) => {
      const engine = await given({}, { list })
      expect(engine.healthy()).toBe(false)
    },
  )

  test('may have its voices in the configuration, and is probed by the list of its models', async () => {
    const voices = [{ id: 'echo', display_name: 'Echo', languages: ['en-us', 'fr'], gender: 'male', tags: ['warm'] }]
    const engine = await given({ voices })
    expect(engine.healthy()).toBe(true)
    expect(engine.voices).toMatchObject([{ display_name: 'Echo', gender: 'male', tags: ['warm'] }])
    expect(engine.voices[0]!.languages).toEqual(['en-US', 'fr'])
  })

  test('that is busy is retried after its Retry-After, when the caller can wait that long', async () => {
    const engine = await given({}, { retryAfter: '0.3' })
    standIn.misbehave('has no room', 1)
    const askedMs = performance.now()
    await hear(engine, text)
    expect(performance.now() - askedMs).toBeGreaterThanOrEqual(300)
    expect(standIn.asked).toHaveLength(2)
  })

  test('that is busy for longer than the caller can wait is not retried', async () => {
    const engine = await given({}, { retryAfter: '30' })
    standIn.misbehave('has no room', 1)
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'capacity_exhausted' })
    expect(standIn.asked).toHaveLength(1)
  })

  test('that refuses a text is healthy nevertheless', async () => {
    const engine = await given()
    for (let i = 0; i < 5; i++) {
      await expect(hear(engine, 'a'.repeat(5000))).rejects.toMatchObject({ code: 'upstream_error' })
    }
    expect(engine.healthy()).toBe(true)
  })
})

describe('the configuration of an OpenAI-compatible server', () => {
  test('defaults to the public service', () => {
    const config = openaiEngineConfig.parse({ type: 'openai', models, voices: [{ id: 'echo', languages: ['en'] }] })
    expect(config).toMatchObject({ base_url: 'https://api.openai.com/v1', concurrency: 4, response_format: 'pcm' })
    expect(config.models).toEqual([{ ...models[0], variant: 'tts-1' }])
  })

  test.each([
    ['a key in the clear', { api_key: 'sk-1234' }],
    ['a key in the address', { base_url: 'https://user:sk-1234@example.com/v1' }],
    ['a query in the address', { base_url: 'https://example.com/v1?key=sk-1234' }],
    ['no web address', { base_url: 'file:///etc/passwd' }],
    ['no models', { models: [] }],
    ['two models of one variant', { models: [...models, { ...models[0], id: 'other', variant: 'tts-1' }] }],
    ['a model whose name is no variant', { models: [{ ...models[0], id: 'm'.repeat(65) }] }],
    ['a voice of no language', { voices: [{ id: 'echo', languages: ['english'] }] }],
    ['a field that does not exist', { api_keys: { env: 'A' } }],
    ['no time at all', { timeouts: { idle_ms: 0 } }],
  ])('is refused with %s', (_, wrong) => {
    expect(openaiEngineConfig.safeParse({ type: 'openai', models, voices: 'discover', ...wrong }).success).toBe(false)
  })

  test.each(['', 'two\nlines', 'naïve'])(
    'a secret that no header can hold is an error that does not show it: %j',
    async (secret) => {
      const config = openaiEngineConfig.parse({
        type: 'openai',
        models,
        voices: 'discover',
        api_key: { env: 'THE_KEY' },
      })
      const opened = openOpenaiEngines('cloud', config, contextOf(logOf(), secret))
      await expect(opened).rejects.toThrow(
        /^the secret in THE_KEY is empty or contains characters that a key cannot have$/,
      )
    },
  )
})
