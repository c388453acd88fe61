import fc from 'fast-check'
import { speechPieces } from '../src/speech-pieces.js'

const words = fc.array(fc.oneof(fc.lorem({ maxCount: 3 }), fc.constantFrom('Dr.', ', ', '.', '  ', 'x'.repeat(300))))

describe('pieces of speech', () => {
  it('are, joined, the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          words.map((all) => all.join(' ')),
          fc.string(),
        ),
        (text) => {
          expect(speechPieces(text).join('')).toBe(text)
        },
      ),
    )
  })

  it('are never so long that planning one delays a cancel', () => {
    fc.assert(
      fc.property(words, (all) => {
        for (const piece of speechPieces(all.join(' '))) expect(piece.trim().length).toBeLessThanOrEqual(60)
      }),
    )
  })

  it('are sentences, and of a long sentence its clauses', () => {
    expect(speechPieces('Dr. Smith is in. Ask him! "Really?" Yes, i.e. now.')).toEqual([
      'Dr. Smith is in. ',
      'Ask him! ',
      '"Really?" ',
      'Yes, i.e. now.',
    ])
    const long = 'When the last of the guests had gone to bed at last, we sat down, and nobody said a word.'
    expect(speechPieces(long)).toEqual([
      'When the last of the guests had gone to bed at last, ',
      'we sat down, and nobody said a word.',
    ])
  })

  it('begin with a phrase when a clause is too long', () => {
    const long =
      'I am looking for the order that you placed last week and that nobody has seen in the whole house since then.'
    expect(speechPieces(long)).toEqual([
      'I am looking for the order that you placed last week ',
      'and that nobody has seen in the whole house since then.',
    ])
  })
})
