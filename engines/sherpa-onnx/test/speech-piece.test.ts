import fc from 'fast-check'
import { speechPieces } from '../src/speech-piece.js'

const cut = (text: string) => speechPieces(text).map(({ text }) => text)

test('what is short is spoken in one go, however many sentences it is', () => {
  const text = 'Hello, Dr. Smith. How are you? I am, as always, fine.'
  expect(cut(text)).toEqual([text])
  expect(cut('')).toEqual([''])
})

test('a long sentence is cut where its clauses end', () => {
  expect(
    cut(
      'When the long and winding road had come to its end at last, we sat down by the river, tired, and nobody said a word.',
    ),
  ).toEqual([
    'When the long and winding road had come to its end at last, ',
    'we sat down by the river, tired, and nobody said a word.',
  ])
})

test('many short sentences are not cut at their commas', () => {
  const text = 'No, thank you. '.repeat(20)
  expect(cut(text)).toEqual([text])
})

test('a sentence without marks is cut between two words', () => {
  const pieces = cut('word '.repeat(200))
  expect(pieces).toHaveLength(4)
  for (const piece of pieces) expect(piece).toMatch(/^(word )+$/)
})

test('pieces are the text, joined, and each says where it begins', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.lorem({ maxCount: 5, mode: 'sentences' }),
          fc.constantFrom(', ', '，', '。', '! ', 'x'.repeat(80)),
          fc.string(),
        ),
      ),
      (parts) => {
        const text = parts.join('')
        const pieces = speechPieces(text)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        for (const { text: piece, start } of pieces) expect(text.startsWith(piece, start)).toBe(true)
      },
    ),
  )
})
