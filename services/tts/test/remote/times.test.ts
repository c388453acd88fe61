import fc from 'fast-check'
import { createMarksWithinAudio } from '../../src/remote/speech-attempt.js'
import { createCharacterTimes, createWordTimes } from '../../src/remote/word-times.js'

const timed = (characters: readonly string[], from = 0) => ({
  characters,
  startsMs: characters.map((_, i) => (from + i) * 10),
  endsMs: characters.map((_, i) => (from + i + 1) * 10),
})

describe('times of characters', () => {
  test('become the same words wherever they are cut', () => {
    const text = 'Zwölf Boxkämpfer, 3.5 m; don’t 👩‍👩‍👧 stop!'
    const characters = [...text]
    const whole = createCharacterTimes(text, 'en')
    const expected = [...whole.add(timed(characters)), ...whole.end()]
    expect(expected.map(({ text }) => text)).toEqual(['Zwölf', 'Boxkämpfer', '3.5', 'm', 'don’t', 'stop'])
    fc.assert(
      fc.property(fc.nat(characters.length), (at) => {
        const times = createCharacterTimes(text, 'en')
        const first = times.add(timed(characters.slice(0, at)))
        expect([...first, ...times.add(timed(characters.slice(at), at)), ...times.end()]).toEqual(expected)
      }),
    )
  })

  test('report what is missing while they follow the text', () => {
    const times = createCharacterTimes('one two three', 'en')
    times.add(timed([...'one two']))
    expect(times.missing()).toBe(' three')
    times.add(timed(['x']))
    expect(times.missing()).toBe('')
  })

  test('find the text again after characters that are not in it', () => {
    const times = createCharacterTimes('one two three', 'en')
    const words = [...times.add(timed([...'one [and] two three'])), ...times.end()]
    expect(words.map(({ text }) => text)).toContain('three')
  })

  test('have the words of the text, whatever times the server sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ maxLength: 3 })), (text, characters) => {
        const times = createCharacterTimes(text, 'en')
        for (const word of [...times.add(timed(characters)), ...times.end()]) {
          expect(text.slice(word.textStart, word.textEnd)).toBe(word.text)
        }
      }),
    )
  })
})

test('words are found in the text in order, and words that are not in it are skipped', () => {
  const text = 'The cat, the 12 cats & THE end.'
  const find = createWordTimes(text)
  const named = ['The', 'cat,', 'the', 'twelve', 'cats', '&', 'the', 'end.']
  const found = named.flatMap((word, i) => find(word, i, i + 1))
  expect(found.map(({ text, startMs }) => [text, startMs])).toEqual([
    ['The', 0],
    ['cat', 1],
    ['the', 2],
    ['cats', 4],
    ['THE', 6],
    ['end', 7],
  ])
})

test('marks wait for their audio, go forward and end with it, whatever times a server sends', () => {
  const time = fc.double({ min: -1000, max: 5000, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(time, time)), fc.nat(3000), (times, totalMs) => {
      const marks = createMarksWithinAudio()
      marks.add({ phonemes: times.map(([startMs, endMs]) => ({ ipa: 'ə', startMs, endMs })) })
      const due = marks.due(totalMs / 2).phonemes
      for (const { endMs } of due) expect(endMs).toBeLessThanOrEqual(totalMs / 2)
      const all = [...due, ...marks.rest(totalMs).phonemes]
      expect(all).toHaveLength(times.length)
      let lastMs = 0
      for (const { startMs, endMs } of all) {
        expect(startMs).toBeGreaterThanOrEqual(lastMs)
        expect(endMs).toBeGreaterThanOrEqual(startMs)
        expect(endMs).toBeLessThanOrEqual(totalMs)
        lastMs = endMs
      }
    }),
  )
})
