import fc from 'fast-check'
import { speechPieces } from '../src/speech-piece.js'

const cut = (text: string, language = 'en') => speechPieces(text, language).map(({ text }) => text)

test('each sentence is a piece, by the rules of its language', () => {
  expect(cut('Hello, Dr. Smith. How are you? I am, as always, fine.')).toEqual([
    'Hello, Dr. Smith.',
    ' How are you?',
    ' I am, as always, fine.',
  ])
  expect(cut('Wir gehen bzw. fahren. Gut!', 'de')).toEqual(['Wir gehen bzw. fahren.', ' Gut!'])
  expect(cut('我回家。你呢？', 'zh')).toEqual(['我回家。', '你呢？'])
  expect(cut('')).toEqual([])
})

test('each piece is given with the white space after it, in which a paragraph may end', () => {
  expect(speechPieces('One. \n\nTwo.\n\nThree.', 'en').map(({ untilNext }) => untilNext)).toEqual([
    'One. \n\n',
    'Two.\n\n',
    'Three.',
  ])
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
  expect(cut(text.trim())).toEqual(['No, thank you.', ...Array.from({ length: 19 }, () => ' No, thank you.')])
})

test('a sentence without marks is cut between two words', () => {
  const pieces = cut('word '.repeat(200))
  expect(pieces).toHaveLength(4)
  for (const piece of pieces) expect(piece).toMatch(/^( ?word ?)+$/)
})

test('pieces are the text, joined, and each has its place in it', () => {
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
        const pieces = speechPieces(text, 'en')
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        for (const { text: piece, start } of pieces) expect(text.startsWith(piece, start)).toBe(true)
      },
    ),
  )
})
