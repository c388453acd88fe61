import fc from 'fast-check'
import { speakableText } from '../src/speakable-text.js'

const tricky = fc.oneof(
  fc.constantFrom(
    '<speak>',
    '<b/>',
    '&amp;',
    '&#65;',
    '&',
    '[[',
    '[',
    '\u0001V',
    '\0',
    '😀',
    '日本',
    '\ud83d',
    '\ue03c',
    'a ',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const texts = fc.array(tricky).map((pieces) => pieces.join(''))

describe('speakable text', () => {
  it('holds nothing that eSpeak would not read as text', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text } = speakableText(original)
        expect(text).not.toMatch(/<|\[\[|&(?!amp;)|[\0-\x08\x0b\x0c\x0e-\x1f]/)
        expect(text.isWellFormed()).toBe(true)
      }),
    )
  })

  it('leads each of its characters back to the one it was written for', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text, offsets } = speakableText(original)
        const characters = [...text]
        expect(offsets).toHaveLength(characters.length)
        for (const [index, character] of characters.entries()) {
          const source = String.fromCodePoint(original.codePointAt(offsets[index]!)!)
          if (character !== ' ' && source !== '&') expect(source).toBe(character)
        }
      }),
    )
  })

  it('is the text itself where nothing needs to be changed', () => {
    fc.assert(
      fc.property(fc.lorem(), (original) => {
        expect(speakableText(original).text).toBe(original)
      }),
    )
  })

  it('has no hyphen, dot or apostrophe before a letter of a script that none of the voices is for', () => {
    expect(speakableText('"-यह, x-অঅ, -\u00adઅઅ').text).toBe('" यह, x অঅ,  \u00adઅઅ')
    expect(speakableText('ज.ज.在 我.').text).toBe('ज ज 在 我.')
    expect(speakableText('ე . ე .. ე. ე').text).toBe('ე   ე    ე. ე')
    expect(speakableText('자’א -ый').text).toBe('자 א  ый')
    expect(speakableText('well-known, don’t, l’été, 2-3, U.S.A.').text).toBe('well-known, don’t, l’été, 2-3, U.S.A.')
  })
})
