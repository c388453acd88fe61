import fc from 'fast-check'
import { asciiText } from '../src/ascii-text.js'

const texts = fc.array(
  fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('é', '’', '😀', '£5', '日')),
)

describe('text in ASCII', () => {
  it('is the original text when that is ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(asciiText(text).text).toBe(text)
      }),
    )
  })

  it('contains only characters that flite can pronounce, for any text', () => {
    fc.assert(
      fc.property(texts, (pieces) => {
        expect(asciiText(pieces.join('')).text).toMatch(/^[ -~]*$/)
      }),
    )
  })

  it('maps each of its characters back to the original one, in order', () => {
    fc.assert(
      fc.property(texts, (pieces) => {
        const original = pieces.join('')
        const { text, starts, ends } = asciiText(original)
        expect([starts.length, ends.length]).toEqual([text.length, text.length])
        let from = 0
        for (const [index, start] of starts.entries()) {
          expect(start).toBeGreaterThanOrEqual(from)
          expect(String.fromCodePoint(original.codePointAt(start)!)).toBe(original.slice(start, ends[index]))
          from = start
        }
      }),
    )
  })

  it.each([
    ['Élise’s naïve café', "Elise's naive cafe"],
    ['“Größe” — œuvre', '"Grosse" ,  oeuvre'],
    ['e\u0301', 'e'],
    ['a\0b\u0007c', 'a b c'],
    ['½', '1/2'],
  ])('writes %s as %s', (original, written) => {
    expect(asciiText(original).text).toBe(written)
  })
})
