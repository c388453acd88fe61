import fc from 'fast-check'
import { beginsWordAfter, excessDots, speakableText } from '../src/speakable-text.js'

/** The size of the buffer in which libespeak-ng 1.51 joins such a run. */
const maxBytes = 160

const letter = fc.constantFrom('a', 'Z', 'á', 'а', '我', '𝔘', '1')
const dot = fc.constantFrom('.', '..', '. .', ' .', ' . ')
const run = fc.array(fc.tuple(letter, dot), { maxLength: 120 }).map((pairs) => pairs.flat().join(''))
const texts = fc.tuple(run, fc.string({ unit: letter, maxLength: 120 }), run).map((parts) => parts.join(''))

describe('dotted runs', () => {
  it('are short in the text for eSpeak: single letters with dots, and the text after them', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text } = speakableText(original)
        for (const [found] of text.matchAll(/(?:[^\s.] ?\.[\s.]*)+[^\s.]*/gu)) {
          // eSpeak writes one dot for each letter, and leaves out one that a space follows.
          const joined = found.replace(/[\s.]*\.[\s.]*/g, '.')
          expect(Buffer.byteLength(joined)).toBeLessThan(maxBytes)
        }
      }),
    )
  })

  it('lose only dots, which become spaces, and get a space where the script changes', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text, offsets } = speakableText(original)
        for (const [index, character] of [...text].entries()) {
          const offset = offsets[index]!
          const source = String.fromCodePoint(original.codePointAt(offset)!)
          const previous = [...original.slice(0, offset)].at(-1) ?? ''
          const isSpace = character === ' ' && (source === '.' || beginsWordAfter(previous, source))
          expect(character === source || isSpace).toBe(true)
        }
      }),
    )
  })

  it.each([
    'The U.S.A. and the E.U., e.g. in 1.2.3.4 of the R.F.C.s, i.e. here.',
    'a. b. c. d. e. f. g. h. i. j. k. l. m.',
    'See https://www.example.com/a.b.c/index.html. Write to a.b@example.com.',
    'Wait... What? No....',
  ])('of ordinary texts keep all their dots: %s', (text) => {
    expect(excessDots(text)).toEqual([])
  })

  it('end at the ninth dot, or before a word that is too long', () => {
    expect(excessDots('a.'.repeat(12))).toEqual([17])
    expect(excessDots(`a.${'b'.repeat(80)}`)).toEqual([])
    expect(excessDots(`a.${'b'.repeat(81)}`)).toEqual([1])
  })
})
