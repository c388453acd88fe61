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
  it('contains nothing that eSpeak would not read as text', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text } = speakableText(original)
        expect(text).not.toMatch(/<|\[\[|&(?!amp;)|[\0-\x08\x0b\x0c\x0e-\x1f]/)
        expect(text.isWellFormed()).toBe(true)
      }),
    )
  })

  it('maps each of its characters back to the original one', () => {
    fc.assert(
      fc.property(texts, (original) => {
        const { text, offsets } = speakableText(original)
        const characters = [...text]
        expect(offsets).toHaveLength(characters.length)
        for (const [index, character] of characters.entries()) {
          const source = String.fromCodePoint(original.codePointAt(offsets[index]!)!)
          if (!/[ 0-9]/.test(character) && source !== '&') expect(source).toBe(character)
        }
      }),
    )
  })

  it('is the original text when nothing needs to be changed', () => {
    fc.assert(
      fc.property(fc.lorem(), (original) => {
        expect(speakableText(original).text).toBe(original)
      }),
    )
  })

  it('has no letter of a script that eSpeak does not know completely, and no word that continues after Latin or Greek in another script', () => {
    expect(speakableText('a ক 카a ა. Ա? Ϙ').text).toBe('a    a  .  ?  ')
    expect(speakableText('೦𞄞fusce ২০২৬ 10').text).toBe('0𞄞fusce 2026 10')
    const { text, offsets } = speakableText('λόγοςא źע')
    expect(text).toBe('λόγος א ź ע')
    expect([...offsets]).toEqual([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 8])
  })

  it('has no hyphen, dot or apostrophe before a letter of a script without a voice', () => {
    expect(speakableText('"-это, x-בא, -\u00adกก').text).toBe('" это, x בא,  \u00adกก')
    expect(speakableText('я.я.在 我.').text).toBe('я я 在 我.')
    expect(speakableText('ב . ב .. ב. ב').text).toBe('ב   ב    ב. ב')
    expect(speakableText('あ’א -ый').text).toBe('あ א  ый')
    expect(speakableText("я’a, α'1").text).toBe('я a, α 1')
    expect(speakableText('well-known, don’t, l’été, 2-3, U.S.A.').text).toBe('well-known, don’t, l’été, 2-3, U.S.A.')
  })
})
