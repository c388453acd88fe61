import fc from 'fast-check'
import { estimateWordTimes, letterWeight, phonemeWeight, spokenWords } from '../../src/word-times/index.js'

const sampleRateHz = 16_000

/** Alternating sound and silence with the given durations in ms. */
const audio = (...lengthsMs: number[]): Int16Array => {
  const parts = lengthsMs.map((lengthMs, turn) => {
    const samples = new Int16Array((lengthMs * sampleRateHz) / 1000)
    if (turn % 2 === 0) for (let index = 0; index < samples.length; index++) samples[index] = 8000 * Math.sin(index / 5)
    return samples
  })
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    pcm.set(part, at)
    at += part.length
  }
  return pcm
}

const times = (text: string, pcm: Int16Array) =>
  estimateWordTimes(spokenWords(text), pcm, sampleRateHz).map(({ text, startMs, endMs }) => [text, startMs, endMs])

describe('the words of a speech', () => {
  test('share its sound by their weights', () => {
    expect(times('one three eleven', audio(1400))).toEqual([
      ['one', 0, 300],
      ['three', 300, 800],
      ['eleven', 800, 1400],
    ])
  })

  test('begin with the sound and end with it, not with the silence around it', () => {
    expect(times('one two', audio(0, 250, 600, 400))).toEqual([
      ['one', 250, 550],
      ['two', 550, 850],
    ])
  })

  test('end where the audio pauses, although the letters suggest another end', () => {
    expect(times('a long word, then another', audio(900, 300, 700))).toMatchObject([
      ['a', 0, expect.any(Number)],
      ['long', expect.any(Number), expect.any(Number)],
      ['word', expect.any(Number), 900],
      ['then', 1200, expect.any(Number)],
      ['another', expect.any(Number), 1900],
    ])
  })

  test('may pause at a more distant mark rather than within a nearer word', () => {
    expect(times('no, incomprehensibilities', audio(300, 400, 900))).toEqual([
      ['no', 0, 300],
      ['incomprehensibilities', 700, 1600],
    ])
  })

  test('are not split by the silence within a word', () => {
    expect(times('butter', audio(200, 90, 200))).toEqual([['butter', 0, 490]])
  })

  test('that an engine leaves out take no time', () => {
    const words = spokenWords('one xyzzy two', (word) => (word === 'xyzzy' ? undefined : letterWeight(word)))
    expect(words.map(({ text, textStart, textEnd }) => [text, textStart, textEnd])).toEqual([
      ['one', 0, 3],
      ['two', 10, 13],
    ])
  })

  test('have times even when the audio is silent', () => {
    expect(times('one two', new Int16Array(16_000))).toEqual([
      ['one', 0, 500],
      ['two', 500, 1000],
    ])
    expect(times('one two', new Int16Array(0))).toEqual([
      ['one', 0, 0],
      ['two', 0, 0],
    ])
    expect(times('', audio(500))).toEqual([])
  })
})

test('whatever the text and the audio: a mark for each word, forward in time and within the audio', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.lorem({ maxCount: 8, mode: 'sentences' }), fc.string({ unit: 'grapheme' })), {
        maxLength: 4,
      }),
      fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 12 }),
      (texts, lengthsMs) => {
        const text = texts.join(' ')
        const pcm = audio(...lengthsMs)
        const words = spokenWords(text)
        const marks = estimateWordTimes(words, pcm, sampleRateHz)
        expect(marks.map(({ textStart }) => textStart)).toEqual(words.map(({ textStart }) => textStart))
        let lastMs = 0
        for (const mark of marks) {
          expect(text.slice(mark.textStart, mark.textEnd)).toBe(mark.text)
          expect(mark.startMs).toBeGreaterThanOrEqual(lastMs)
          expect(mark.endMs).toBeGreaterThanOrEqual(mark.startMs)
          lastMs = mark.endMs
        }
        expect(lastMs).toBeLessThanOrEqual((pcm.length * 1000) / sampleRateHz)
      },
    ),
  )
})

test('a text as long as a book with many pauses is processed at once', () => {
  const words = spokenWords('word and more, '.repeat(3000))
  const pcm = audio(...Array.from({ length: 401 }, () => 100))
  expect(estimateWordTimes(words, pcm, sampleRateHz)).toHaveLength(9000)
})

describe('a word lasts longer', () => {
  test('with more sounds, a vowel more than a stop, a long vowel more than a short one', () => {
    expect(phonemeWeight(['S', 'T', 'AA1'])).toBeGreaterThan(phonemeWeight(['T', 'AA1']))
    expect(phonemeWeight(['ɪ'])).toBeGreaterThan(phonemeWeight(['t']))
    expect(phonemeWeight(['iː'])).toBeGreaterThan(phonemeWeight(['ɪ']))
    expect(phonemeWeight(['ˈ', 'ɪ', '.'])).toBe(phonemeWeight(['ɪ']))
  })

  test('with more letters, a digit more than a letter', () => {
    expect(letterWeight('strengths')).toBeGreaterThan(letterWeight('a'))
    expect(letterWeight('7')).toBeGreaterThan(letterWeight('a'))
    expect(letterWeight('日本')).toBeGreaterThan(letterWeight('ab'))
    expect(letterWeight('')).toBe(1)
  })
})
