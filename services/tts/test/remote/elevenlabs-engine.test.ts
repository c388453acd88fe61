import { msPerCharacter, type SpeechStandIn, startElevenlabsStandIn } from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { hear, kindOf, logOf } from './remote-scene.js'

const text = 'Well, it costs 12 euros; don’t wait.'

describe('ElevenLabs', () => {
  let standIn: SpeechStandIn
  let engine: Engine

  beforeEach(async () => {
    standIn = await startElevenlabsStandIn()
    engine = await kindOf('elevenlabs').open(standIn.url, logOf())
  })
  afterEach(async () => {
    await engine.close()
    await standIn.close()
  })

  test('is called with its own protocol, and without settings when all are defaults', async () => {
    await hear(engine, text)
    expect(standIn.asked[0]).toMatchObject({ voice: 'voice0', body: { text, model_id: 'eleven_flash_v2_5' } })
    expect(Object.keys(standIn.asked[0]!.body)).toEqual(['text', 'model_id'])
  })

  test.each([
    [0.5, 0.7],
    [0.9, 0.9],
    [2, 1.2],
  ])('at speed %d is called with %d, within its limits', async (speed, asked) => {
    await hear(engine, text, { speed })
    expect(standIn.asked[0]!.body).toMatchObject({ voice_settings: { speed: asked } })
  })

  test('receives the language, where the model accepts one', async () => {
    await hear(engine, text, { language: 'en-US' })
    await hear(engine, text, { language: 'en-US', variant: 'eleven_multilingual_v2' })
    expect(standIn.asked.map(({ body }) => body.language_code)).toEqual(['en', undefined])
  })

  test('reports times of characters, which become times of words', async () => {
    const { words } = await hear(engine, text)
    expect(words.map(({ text }) => text)).toEqual(['Well', 'it', 'costs', '12', 'euros', 'don’t', 'wait'])
    for (const { text: word, textStart, textEnd, startMs, endMs } of words) {
      expect(text.slice(textStart, textEnd)).toBe(word)
      expect(startMs).toBeCloseTo(textStart * msPerCharacter)
      expect(endMs).toBeCloseTo(textEnd * msPerCharacter)
    }
  })

  test('times words in languages without spaces', async () => {
    const { words } = await hear(engine, '今日はいい天気ですね', { language: 'ja' })
    expect(words.length).toBeGreaterThan(2)
    expect(words.map(({ text }) => text).join('')).toBe('今日はいい天気ですね')
  })

  test('lists its voices page by page', () => {
    expect(engine.voices).toHaveLength(130)
    expect(engine.voices[0]).toMatchObject({
      display_name: 'Rachel',
      languages: ['en-US'],
      gender: 'female',
      tags: ['american', 'young', 'narration', 'premade'],
      created_at: '2024-03-09T16:00:00.000Z',
      variants: [{ id: 'eleven_flash_v2_5', alignment: ['word'] }, { id: 'eleven_multilingual_v2' }],
    })
  })

  test('a voice that was removed does not make the others unavailable', async () => {
    const missing = [{ id: 'gone', languages: ['en'] }]
    const other = await kindOf('elevenlabs').open(standIn.url, logOf(), { voices: missing })
    for (let i = 0; i < 4; i++) await expect(hear(other, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(other.healthy()).toBe(true)
    await other.close()
  })
})
