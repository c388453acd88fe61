import { iterate } from '@parlance/async/push-stream'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { createSegmenter, SpeechRecord, type SpokenSegment, speechStream, splitAtSpoken } from '../src/index.js'
import { batchesOf, createScriptedSynthesis, msPerCharacter } from './scripted-synthesis.js'

const seed = testSeed()
beforeAll(() => process.stdout.write(`spoken text: seed ${seed}\n`))

const word = (text: string, startMs: number, endMs: number) => ({ text, start_ms: startMs, end_ms: endMs })

/** A segment from 1,000 ms on, each of whose words lasts 100 ms. */
const segment = (text: string, words: readonly string[], fields: Partial<SpokenSegment> = {}): SpokenSegment => ({
  text,
  startMs: 1_000,
  endMs: 1_000 + 100 * words.length + 50,
  words: words.map((text, index) => word(text, 1_000 + index * 100, 1_100 + index * 100)),
  ...fields,
})

const spokenAt = (playedMs: number, ...segments: SpokenSegment[]) => splitAtSpoken({ segments, playedMs }).spoken

describe('a word', () => {
  const hello = segment(' “Hello, world”, (he) said.', ['Hello', 'world', 'he', 'said'])

  test('counts once its end was played, with the marks that close it', () => {
    expect(spokenAt(999, hello)).toBe('')
    expect(spokenAt(1_099, hello)).toBe('')
    expect(spokenAt(1_100, hello)).toBe(' “Hello,')
    expect(spokenAt(1_200, hello)).toBe(' “Hello, world”,')
    expect(spokenAt(1_300, hello)).toBe(' “Hello, world”, (he)')
    expect(spokenAt(1_450, hello)).toBe(hello.text)
  })

  test('is found although the engine reports it in another case', () => {
    expect(spokenAt(1_200, segment('HELLO World again', ['hello', 'world', 'AGAIN']))).toBe('HELLO World')
  })

  test('is not found within another word', () => {
    expect(spokenAt(1_200, segment('We have a cat', ['we', 'a', 'cat']))).toBe('We have a')
  })

  test('that occurs twice in the text is found where it was spoken', () => {
    const twice = segment('the cat and the dog and the bird', ['the', 'cat', 'and', 'the', 'dog', 'and', 'the', 'bird'])
    expect(spokenAt(1_400, twice)).toBe('the cat and the')
  })

  test('that the engine reports in another form is skipped, and does not mislead the search', () => {
    const filler = 'and then there was a lot more of it to be said about all that '
    const text = `20 dogs ran ${filler}twenty times`
    const words = ['twenty', 'dogs', 'ran', ...filler.trim().split(' '), 'twenty', 'times']
    expect(spokenAt(1_100, segment(text, words))).toBe('')
    expect(spokenAt(1_200, segment(text, words))).toBe('20 dogs')
    expect(spokenAt(1_300, segment(text, words))).toBe('20 dogs ran')
  })

  test('is found where no spaces are written', () => {
    expect(spokenAt(1_200, segment('今天天气很好，我们走。', ['今天', '天气', '很', '好', '我们', '走']))).toBe(
      '今天天气',
    )
    expect(spokenAt(1_400, segment('今天天气很好，我们走。', ['今天', '天气', '很', '好', '我们', '走']))).toBe(
      '今天天气很好，',
    )
  })
})

describe('a segment', () => {
  test('without times for its words is split between two words, by their lengths', () => {
    const text = 'four five six! seven'
    const untimed = segment(text, [], { endMs: 1_000 + text.length * 10 })
    expect(spokenAt(1_030, untimed)).toBe('')
    expect(spokenAt(1_040, untimed)).toBe('four')
    expect(spokenAt(1_128, untimed)).toBe('four five')
    expect(spokenAt(1_130, untimed)).toBe('four five six!')
    expect(spokenAt(1_200, untimed)).toBe(text)
  })

  test('whose reported words are not in the text is split in the same way', () => {
    expect(spokenAt(1_130, segment('12 45 78', ['twelve', 'x', 'y'], { endMs: 1_200 }))).toBe('12 45')
  })

  test('that is not complete is spoken as far as its words are known', () => {
    expect(spokenAt(9_999, segment('one two three', ['one'], { endMs: undefined }))).toBe('one')
  })

  test('that is still being produced and has no times yet is estimated at the pace of those before it', () => {
    const text = 'These six words are just alike. '
    const made = { text, startMs: 0, endMs: 3_200, words: [] }
    const inTheMaking = { text, startMs: 3_200, endMs: undefined, words: [] }
    expect(spokenAt(3_200 + 1_600, made, inTheMaking)).toBe(`${text}These six words`)
    const usual = spokenAt(1_200, { ...inTheMaking, startMs: 0 })
    expect(usual).toBe('These six words')
    expect(spokenAt(1_200, { ...inTheMaking, text: '今天天气很好，我们走。', startMs: 0 })).toBe('今天天气很好，')
  })

  test('that has not begun is not spoken, and neither is anything after one that was cut off', () => {
    const waiting = segment(' later', [], { startMs: undefined, endMs: undefined })
    const segments = [segment('one two', ['one', 'two']), segment(' ', [], { startMs: 0, endMs: 0 }), waiting]
    expect(splitAtSpoken({ segments, playedMs: 1_100 })).toEqual({ spoken: 'one', remaining: ' two  later' })
    expect(splitAtSpoken({ segments, playedMs: 5_000 })).toEqual({ spoken: 'one two ', remaining: ' later' })
  })
})

const anyWord = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('the', 'a', 'cat', '20', '今天', '“', '…', ' '),
)
const anySegment = fc
  .record({
    texts: fc.array(anyWord, { maxLength: 20 }),
    words: fc.array(anyWord, { maxLength: 20 }),
    own: fc.boolean(),
    complete: fc.boolean(),
  })
  .map(({ texts, words, own, complete }) => {
    const spoken = segment(texts.join(' '), own ? texts : words)
    return complete ? spoken : { ...spoken, endMs: undefined }
  })

test('whatever the words, the two parts are the text, and more time never means less spoken', () => {
  fc.assert(
    fc.property(fc.array(anySegment, { maxLength: 5 }), fc.nat(4_000), fc.nat(4_000), (apart, some, more) => {
      const segments = apart.map(({ words, startMs, endMs, ...rest }, index) => {
        const laterMs = index * 2_500 - 1_000
        return {
          ...rest,
          startMs: startMs! + laterMs,
          endMs: endMs === undefined ? undefined : endMs + laterMs,
          words: words.map(({ text, start_ms, end_ms }) => word(text, start_ms + laterMs, end_ms + laterMs)),
        }
      })
      const text = segments.map(({ text }) => text).join('')
      const early = splitAtSpoken({ segments, playedMs: some })
      const late = splitAtSpoken({ segments, playedMs: some + more })
      expect(early.spoken + early.remaining).toBe(text)
      expect(late.spoken + late.remaining).toBe(text)
      expect(late.spoken.startsWith(early.spoken)).toBe(true)
    }),
    { seed, numRuns: 500 },
  )
})

test('the record of a stream splits the whole text at the end of every word', async () => {
  const texts = ['Hello, dear world.', ' \n', ' How are you', ' 😀 today?', '  ']
  const record = new SpeechRecord(1)
  const { synthesize } = createScriptedSynthesis()
  for await (const segment of batchesOf(texts)) record.add(segment)
  const batches = batchesOf(texts)
  for await (const chunk of iterate(speechStream({ batches, synthesize }))) {
    record.follow(chunk)
  }
  for (const segment of createSegmenter({ language: 'en', mode: 'auto', maxDelayMs: 1 }).end()) record.add(segment)
  const whole = texts.join('')
  const at = (played: string) => record.splitAt(played.replace(' \n', '').length * msPerCharacter)
  for (const spoken of ['', 'Hello,', 'Hello, dear', 'Hello, dear world. \n', 'Hello, dear world. \n How are', whole]) {
    expect(at(spoken)).toEqual({ spoken, remaining: whole.slice(spoken.length) })
  }
})

test('text that was never spoken remains', () => {
  const record = new SpeechRecord(1)
  const segmenter = createSegmenter({ language: 'en', mode: 'auto', maxDelayMs: 500 })
  for (const segment of [...segmenter.add('Hello. And th', 0), ...segmenter.end()]) record.add(segment)
  expect(record.splitAt(10_000)).toEqual({ spoken: '', remaining: 'Hello. And th' })
})
