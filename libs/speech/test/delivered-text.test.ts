import type { SynthesisChunk } from '@parlance/contracts'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { countCodePoints, countReached, cutsBetween, SpeechRecord, segmentText } from '../src/index.js'
import { chunksOf, msPerCharacter } from './scripted-synthesis.js'

const seed = testSeed()
beforeAll(() => process.stdout.write(`delivered text: seed ${seed}\n`))

const anyPiece = fc.oneof(
  fc.lorem({ maxCount: 8 }),
  fc.lorem({ maxCount: 3, mode: 'sentences' }),
  fc.constantFrom('20', '今天天气很好。', '😀😀', '…', '“Hello!”', 'e.g. that', ' ', '\n\n'),
)
const anyText = fc
  .array(anyPiece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(' '))
  .filter((text) => /[\p{L}\p{N}]/u.test(text))

const cutsOf = (text: string): number[] => cutsBetween(segmentText(text, 'en'))

/** The chunks of a synthesis of the text, in segments, of which each code unit lasts 50 ms; `timed` where words have times. */
const spokenIn = (text: string, timed: boolean): SynthesisChunk[] =>
  chunksOf(text, cutsOf(text)).filter(({ event }) => timed || event !== 'alignment')

/** The record of a speech of which these chunks were sent. */
const recordOf = (text: string, chunks: readonly SynthesisChunk[], speed = 1): SpeechRecord => {
  const record = new SpeechRecord(speed)
  record.add({ text, cuts: cutsOf(text) })
  for (const chunk of chunks) record.follow(chunk)
  return record
}

test('for a cancellation at any chunk, more audio never bills less, any audio bills something, and all audio bills the whole text', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), fc.constantFrom(0.5, 1, 2), (text, timed, speed) => {
      const chunks = spokenIn(text, timed)
      const whole = countCodePoints(text)
      let before = 0
      let audio = false
      const step = Math.ceil(chunks.length / 15)
      const counts = [...chunks.keys()].filter((count) => count % step === 0)
      for (const count of [...counts, chunks.length]) {
        audio = chunks.slice(0, count).some(({ event }) => event === 'audio')
        const record = recordOf(text, chunks.slice(0, count), speed)
        const delivered = record.deliveredCharacters()
        expect(delivered).toBeGreaterThanOrEqual(before)
        expect(delivered).toBeLessThanOrEqual(whole)
        expect(record.completedCharacters).toBeLessThanOrEqual(delivered)
        if (audio) expect(delivered).toBeGreaterThan(0)
        else expect(delivered).toBe(0)
        before = delivered
      }
      expect(before).toBe(whole)
    }),
    { seed, numRuns: 40 },
  )
})

test('for a stop at any moment, more played audio never bills less', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, timed) => {
      const record = recordOf(text, spokenIn(text, timed))
      const moments = Array.from({ length: 50 }, (_, index) => Math.round((record.sentMs * index) / 49))
      const billed = moments.map((playedMs) => record.deliveredCharacters(playedMs))
      expect(billed).toEqual(billed.toSorted((one, other) => one - other))
      expect(billed[0]).toBe(0)
      expect(billed.slice(1).every((characters) => characters > 0)).toBe(true)
      expect(billed.at(-1)).toBe(countCodePoints(text))
      // What was spoken is what was billed, or somewhat less: the word in which the audio ends is not counted.
      for (const [index, playedMs] of moments.entries()) {
        expect(countCodePoints(record.splitAt(playedMs).spoken)).toBeLessThanOrEqual(billed[index]!)
      }
    }),
    { seed, numRuns: 100 },
  )
})

describe('batches of a speech', () => {
  const chunk = (segment: number): SynthesisChunk => ({ event: 'segment', segment, characters: 0 })
  const batches = [{ text: 'One. Two 😀.', cuts: [4] }, { text: ' Three.' }, { text: ' Four.' }]
  const open = () => {
    const settled: number[][] = batches.map(() => [])
    const record = new SpeechRecord(1)
    for (const [index, batch] of batches.entries()) record.add(batch, (characters) => settled[index]!.push(characters))
    return { record, settled }
  }

  test('are settled for all of their text once their last segment was sent', () => {
    const { record, settled } = open()
    record.follow(chunk(0))
    record.settle(record.completedCharacters, { isOver: false })
    expect([record.completedCharacters, settled]).toEqual([4, [[], [], []]])
    record.follow(chunk(1))
    record.settle(record.completedCharacters, { isOver: false })
    expect([record.completedCharacters, settled]).toEqual([11, [[11], [], []]])
  })

  test('are settled once, for what was delivered of each, when the speech is over', () => {
    const { record, settled } = open()
    record.settle(11, { isOver: false })
    record.settle(14, { isOver: true })
    record.settle(14, { isOver: true })
    expect(settled).toEqual([[11], [3], [0]])
  })
})

describe('audio within a segment', () => {
  const text = 'One two, three “four” five.'
  const words = ['One', 'two', 'three', 'four', 'five'].map((word) => {
    const at = text.indexOf(word)
    return { text: word, start_ms: at * msPerCharacter, end_ms: (at + word.length) * msPerCharacter }
  })
  const reachedBy = (deliveredMs: number, timed: boolean, endMs?: number) =>
    text.slice(0, countReached({ segments: [{ text, startMs: 0, endMs, words: timed ? words : [] }], deliveredMs }))

  test('bills up to the end of the word that it reached, with the marks that close it', () => {
    expect(reachedBy(0, true)).toBe('')
    expect(reachedBy(1, true)).toBe('One')
    expect(reachedBy(3 * msPerCharacter, true)).toBe('One')
    expect(reachedBy(3 * msPerCharacter + 1, true)).toBe('One two,')
    expect(reachedBy(17 * msPerCharacter, true)).toBe('One two, three “four”')
    expect(reachedBy(26 * msPerCharacter, true)).toBe(text)
  })

  test('bills in proportion to the duration where words have no times', () => {
    const durationMs = text.length * msPerCharacter
    expect(reachedBy(durationMs / 2, false, durationMs)).toBe('One two, three')
    expect(reachedBy(durationMs, false, durationMs)).toBe(text)
  })

  test('bills in proportion to an estimated duration while the segment is not complete, at the requested speed', () => {
    const segments = [{ text, startMs: 0, endMs: undefined, words: [] }]
    const at = (speed: number) => text.slice(0, countReached({ segments, deliveredMs: 500, speed }))
    expect(at(1)).toBe('One two, three')
    expect(at(2)).toBe('One two, three “four”')
    expect(at(0.5)).toBe('One two,')
  })

  test('bills one character after the other when there are no words', () => {
    const signs = '😀😀😀😀'
    const segments = [{ text: signs, startMs: 0, endMs: 1_000, words: [] }]
    expect([1, 250, 251, 1_000].map((deliveredMs) => countReached({ segments, deliveredMs }))).toEqual([1, 1, 2, 4])
  })
})
