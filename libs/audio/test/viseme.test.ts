import { visemeIds } from '@parlance/contracts'
import fc from 'fast-check'
import { visemesOfPhoneme } from '../src/index.js'
import { espeakPhonemes } from './espeak-phonemes.js'

const shapes = (ipa: string): string => visemesOfPhoneme(ipa).join(' ')

describe.each(Object.entries(espeakPhonemes))('eSpeak NG in %s', (_, phonemes) => {
  test('every phoneme it prints opens the mouth', () => {
    expect(phonemes.split(' ').filter((phoneme) => shapes(phoneme) === 'sil')).toEqual([])
  })

  test('every letter of its phonemes is known', () => {
    // Modifier letters (ʰ, ː, ᵝ) and combining marks are no letters by themselves.
    const letters = [...new Set(phonemes.match(/\p{L}/gu))].filter((letter) => !/\p{Lm}/u.test(letter))
    expect(letters.filter((letter) => shapes(letter) === 'sil')).toEqual([])
  })
})

test.each([
  ['English', 'p=PP f=FF θ=TH ð=TH t=DD k=kk tʃ=CH dʒ=CH s=SS n=nn l=nn ɹ=RR ŋ=kk h=kk w=U j=I ɾ=DD ʍ=U'],
  ['English vowels', 'ɑː=aa æ=aa ʌ=aa ɛ=E ə=E ɜː=E ɪ=I iː=I ɒ=O ɔː=O ʊ=U uː=U ɚ=E+RR əl=E+nn'],
  ['English diphthongs', 'aɪ=aa+I aʊ=aa+U ɔɪ=O+I eɪ=E+I oʊ=O+U əʊ=E+U ɪə=I+E ʊə=U+E ɑːɹ=aa+RR aɪɚ=aa+I'],
  ['German', 'pf=PP+FF ts=SS ç=kk x=kk ʁ=kk yː=U ʏ=U øː=O œ=O ɜ=E aɪ=aa+I ɔø=O'],
  ['French', 'ɑ̃=aa ɛ̃=E ɔ̃=O œ̃=O ʁ=kk ɲ=nn ɥ=U ʒ=CH ə-=E'],
  ['Spanish', 'β=PP ð=TH ɣ=kk θ=TH x=kk ɾ=DD r=RR ʎ=nn ʝ=kk tʃ=CH'],
  ['Italian', 'dz=SS tsː=SS dʒː=CH ʎ=nn kː=kk ss=SS'],
  ['Portuguese', 'ɐ̃ʊ̃=aa+U õ=O ũ=U ʎ=nn ʁ=kk'],
  ['Dutch', 'œy=O+U ɛɪ=E+I ʋ=FF ɣ=kk ɵ=O'],
  ['Polish', 'bʲ=PP tɕ=CH dʑ=CH ɔ̃=O ɨ=I wʲ=U'],
  ['Russian', 'ja=I+aa ju=I+U ɭ=nn fʲ=FF tʃʲ=CH ɵ=O'],
  ['Turkish', 'ɯ=I ɟ=kk ɫ=nn y=U ø=O'],
  ['Hindi', 'ʈʰ=DD ɖ=DD r.=DD ɳ=nn ʂ=CH bʰ=PP ʋ=FF ã=aa'],
  ['Mandarin', 'ts.h=CH s.=CH tsh=SS tɕh=CH ph=PP iouɜ=I+O uai2=U+aa ɑuɜ=aa+U i̪ɜ=I i.5=I ər5=E+RR onɡ1=O+kk yæ2=U+aa'],
  ['Japanese', 'ɯᵝ=U ä=aa o̞o̞=O ɸ=FF ɴ=kk ɽ=DD dʑ=CH ts=SS'],
  ['any, in one character or in two', 'ʧ=CH ʤ=CH ʦ=SS g=kk t͡ʃ=CH t͜s=SS'],
])('%s', (_, expectations) => {
  const found = expectations.split(' ').map((expectation) => {
    const ipa = expectation.slice(0, expectation.indexOf('='))
    return `${ipa}=${visemesOfPhoneme(ipa).join('+')}`
  })
  expect(found.join(' ')).toBe(expectations)
})

test('stress, length and tone change nothing', () => {
  for (const ipa of ['a', 'aɪ', 'tʃ', 'uː']) {
    for (const marked of [`ˈ${ipa}`, `ˌ${ipa}`, `${ipa}ː`, `${ipa}ˑ`, `${ipa}3`, `${ipa}˥˩`]) {
      expect(shapes(marked)).toBe(shapes(ipa))
    }
  }
})

test('silence closes the mouth: nothing, a pause, marks alone', () => {
  for (const ipa of ['', ' ', 'ˈ', 'ː', '_', '_:', '|']) expect(visemesOfPhoneme(ipa)).toEqual(['sil'])
})

test('a letter means the same composed and decomposed', () => {
  for (const ipa of ['ç', 'ũ', 'ã', 'ä']) expect(shapes(ipa.normalize('NFD'))).toBe(shapes(ipa.normalize('NFC')))
})

test('any string has one or two different shapes of the fifteen', () => {
  const letters = [...Object.values(espeakPhonemes).join('')]
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...letters) })), (ipa) => {
      const found = visemesOfPhoneme(ipa)
      expect(found.length === 1 || (found.length === 2 && found[0] !== found[1])).toBe(true)
      expect(found.every((id) => visemeIds.includes(id))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
