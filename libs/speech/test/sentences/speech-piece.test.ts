import fc from 'fast-check'
import { speechPieces } from '../../src/sentences/speech-piece.js'

const cut = (text: string, language = 'en', isAwaited = false) =>
  speechPieces(text, { language, isAwaited }).map(({ text }) => text)

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

test('each piece includes the white space after it, in which a paragraph may end', () => {
  expect(
    speechPieces('One. \n\nTwo.\n\nThree.', { language: 'en', isAwaited: true }).map(({ untilNext }) => untilNext),
  ).toEqual(['One. \n\n', 'Two.\n\n', 'Three.'])
})

const road =
  'When the long and winding road had come to its end at last, we sat down by the river, tired, and nobody said a word.'

test('the first sentence is cut at the end of a clause when a listener waits for it, and is whole otherwise', () => {
  expect(cut(road, 'en', true)).toEqual([
    'When the long and winding road had come to its end at last, ',
    'we sat down by the river, tired, and nobody said a word.',
  ])
  expect(cut(road)).toEqual([road])
  expect(cut(`Yes. ${road}`, 'en', true)).toEqual(['Yes.', ` ${road}`])
})

test('a longer sentence is cut at the last clause end within the maximum length of a piece', () => {
  const longer = `${road.slice(0, -1)}, because it was late.`
  expect(cut(longer)).toEqual([
    'When the long and winding road had come to its end at last, we sat down by the river, tired, and nobody said a word, ',
    'because it was late.',
  ])
})

test('a first sentence without commas is cut before a conjunction of its language, and otherwise spoken whole', () => {
  const parcel = 'Your parcel left our warehouse on Tuesday and should arrive tomorrow before noon.'
  expect(cut(parcel, 'en-GB', true)).toEqual([
    'Your parcel left our warehouse on Tuesday',
    ' and should arrive tomorrow before noon.',
  ])
  expect(cut(parcel, 'fi', true)).toEqual([parcel])
  const paket = 'Ihr Paket hat unser Lager am Dienstag verlassen und sollte morgen vor Mittag eintreffen.'
  expect(cut(paket, 'de', true)).toHaveLength(2)
})

test('where a character is a syllable, pieces have fewer characters', () => {
  const clauses = ['きのうの よるは、', 'とても あめが つよく ふっていたので、', 'わたしたちは いえに いました。']
  expect(cut(clauses.join(''), 'ja', true)).toEqual([clauses[0], clauses.slice(1).join('')])
  expect(cut(clauses.join('').repeat(3).replaceAll('。', '、'), 'ja-JP').every((piece) => piece.length <= 48)).toBe(
    true,
  )
})

test('a first clause that is too long is cut at its end, and no part is very short', () => {
  expect(
    cut('A clause that goes on and on without end for more than sixty letters, ends here after all.', 'fi', true),
  ).toEqual(['A clause that goes on and on without end for more than sixty letters, ', 'ends here after all.'])
  const stub = 'Well, that is something of which I have never heard before in all of my days, sir.'
  for (const piece of cut(stub, 'fi', true)) expect(piece.length).toBeGreaterThan(15)
})

test('many short sentences are not cut at their commas', () => {
  const text = 'No, thank you. '.repeat(20)
  expect(cut(text.trim())).toEqual(['No, thank you.', ...Array.from({ length: 19 }, () => ' No, thank you.')])
})

test('a sentence without marks is cut between two words', () => {
  const pieces = cut('word '.repeat(200))
  expect(pieces.length).toBeLessThan(12)
  for (const piece of pieces) expect(piece).toMatch(/^( ?word ?)+$/)
})

test('joined, the pieces are the text, and each has its offset in it', () => {
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
        const isAwaited = text.length % 2 === 0
        const pieces = speechPieces(text, { language: 'en', isAwaited })
        for (const { text: piece } of pieces) expect(piece.trim().length).toBeLessThanOrEqual(120)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        for (const { text: piece, start } of pieces) expect(text.startsWith(piece, start)).toBe(true)
      },
    ),
  )
})
