import { msPerCharacter, type SpeechStandIn } from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { hear, kinds, logOf } from './remote-scene.js'

const text = 'One sentence that is long enough to come in several pieces.'

describe.each(kinds)('a text that an engine of type $type speaks', ({ start, open }) => {
  let standIn: SpeechStandIn
  let engine: Engine

  beforeEach(async () => {
    standIn = await start()
    engine = await open(standIn.url, logOf())
  })
  afterEach(async () => {
    await engine.close()
    await standIn.close()
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['dots', '… — ...'],
  ])('speaks nothing for %s, and does not ask the server', async (_, odd) => {
    expect((await hear(engine, odd)).pcm.length).toBe(0)
    expect(standIn.asked).toEqual([])
  })

  test.each([
    ['a surrogate alone', 'before \ud83d after'],
    ['emoji', 'tea ☕ and 👩‍👩‍👧'],
    ['right to left', 'שלום عليكم'],
    ['no spaces', '今日はいい天気ですね'],
    ['control characters', 'one\u0000two\u001bthree'],
    ['one very long word', 'a'.repeat(2000)],
  ])('speaks odd texts: %s', async (_, odd) => {
    expect((await hear(engine, odd)).audioMs).toBe(odd.length * msPerCharacter)
    expect(standIn.asked[0]!.text.isWellFormed()).toBe(true)
    expect(standIn.asked[0]!.text).toHaveLength(odd.length)
  })

  test.each([
    '<break time="9s"/> hello',
    '</speak> hello',
    '[pause:9s] hello',
    '[word](/wɜːd/) hello',
    '<!-- x --> hello',
  ])('sends no markup: %s', async (markup) => {
    await hear(engine, markup)
    expect(standIn.asked[0]!.text).not.toMatch(/<[/!]?\w|\[|\]/)
    expect(standIn.asked[0]!.text).toHaveLength(markup.length)
  })

  test('words are reported as in the original text, whatever was sent to the server', async () => {
    const odd = 'a [b]<c>\u0000d'
    for (const { text: word, textStart, textEnd } of (await hear(engine, odd)).words) {
      expect(odd.slice(textStart, textEnd)).toBe(word)
    }
  })

  test('a comparison is no markup', async () => {
    await hear(engine, '1 < 2 > 0')
    expect(standIn.asked[0]!.text).toBe('1 < 2 > 0')
  })

  test('applies the volume itself, and clips at the range of samples', async () => {
    const loud = await hear(engine, 'abc', { volume: 2 })
    expect([...new Set(loud.pcm)].sort()).toEqual([-8000, 16000])
    expect([...new Set((await hear(engine, 'abc', { volume: 0 })).pcm)].map(Math.abs)).toEqual([0])
  })

  test('reports the pause that the punctuation asks for, less the silence at the end of the audio', async () => {
    const pauseMs = async (spoken: string, changes = {}) => (await hear(engine, spoken, changes)).pauseMs
    const sentenceMs = (await pauseMs('We went home.'))!
    expect(sentenceMs).toBeGreaterThan(300)
    expect(await pauseMs('We went home.____')).toBeCloseTo(sentenceMs - 4 * msPerCharacter)
    expect(await pauseMs(`We went home.${'_'.repeat(40)}`)).toBe(0)
    expect(await pauseMs('We went home?”')).toBe(sentenceMs)
    expect(await pauseMs('我们回家。')).toBe(sentenceMs)
    expect(await pauseMs('We went home.\n\n')).toBeGreaterThan(1.5 * sentenceMs)
    expect(await pauseMs('We went home;')).toBeLessThan(sentenceMs)
    expect(await pauseMs('We went home,')).toBeLessThan((await pauseMs('We went home;'))!)
    expect(await pauseMs('We went home')).toBe(0)
    expect(await pauseMs('We went home.', { speed: 2 })).toBeCloseTo(sentenceMs / 2)
    expect(await pauseMs('We went home.', { volume: 0 })).toBe(sentenceMs)
  })

  test.each([0.5, 2])('asks for speed %d within what the server takes', async (speed) => {
    expect((await hear(engine, text, { speed })).audioMs).toBeGreaterThan(0)
  })

  test('times of words and phonemes go forward and lie within the audio', async () => {
    const { audioMs, words, phonemes } = await hear(engine, text)
    for (const marks of [words, phonemes]) {
      let lastMs = 0
      for (const { startMs, endMs } of marks) {
        expect(startMs).toBeGreaterThanOrEqual(lastMs)
        expect(endMs).toBeGreaterThanOrEqual(startMs)
        expect(endMs).toBeLessThanOrEqual(audioMs)
        lastMs = endMs
      }
    }
    for (const { text: word, textStart, textEnd } of words) expect(text.slice(textStart, textEnd)).toBe(word)
  })
})
