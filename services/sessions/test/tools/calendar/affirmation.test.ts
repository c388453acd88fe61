import fc from 'fast-check'
import { isAffirmation } from '../../../src/tools/calendar/affirmation.js'

const yes: Record<string, string[]> = {
  en: [
    'Yes.',
    'yes please',
    'Yeah, do it',
    'OK',
    'okay then',
    'Sure, go ahead!',
    "That's fine",
    'no problem',
    'Why not',
    'YES',
  ],
  de: [
    'Ja.',
    'ja bitte',
    'Ja, gerne',
    'Klar, mach das',
    'In Ordnung',
    'Natürlich',
    'Kein Problem',
    'passt',
    'Jo, okay',
  ],
  fr: ['Oui.', "D'accord", 'D’accord', 'Bien sûr', 'oui, allez-y', 'Ça marche', 'Pas de problème', 'pourquoi pas'],
  es: ['Sí.', 'si', 'Claro que sí', 'Vale, adelante', 'De acuerdo', 'sin problema', '¡Perfecto!'],
  zh: ['是的。', '好的', '可以', '没问题', '对，确认', '好，就这样', 'OK', '好的ok'],
  ja: [
    'はい。',
    'はい、お願いします',
    'ええ、いいですよ',
    'お願いします',
    'もちろんです',
    'はい、問題ありません',
    'どうぞ',
  ],
}

const no: Record<string, string[]> = {
  en: [
    ...[
      'No.',
      'no thanks',
      'not yet',
      'Wait',
      'yes, but at ten',
      'okay, wait',
      'Yes or no',
      "I don't think so",
      'yes, maybe',
    ],
    ...[
      'Actually, make it Tuesday',
      'ok, tell me about the weather',
      'sure, what time was it',
      'yes yes no',
      'cancel that',
    ],
    ...[
      'okay, cancel that',
      "that isn't right",
      'are you sure',
      'yes?',
      'hold on',
      'never',
      'hmm',
      '',
      'Tuesday',
      'nope, okay',
    ],
    "okay so I was talking to my sister yesterday and she said that the doctor is great and that's fine",
  ],
  de: [
    ...[
      'Nein.',
      'nein danke',
      'ja, aber um zehn',
      'Moment',
      'warte mal',
      'noch nicht',
      'ja nein',
      'lieber nicht',
      'vielleicht',
    ],
    ...['okay, eine andere Zeit', 'Stopp', 'auf keinen Fall', 'ist das richtig', 'ja, sagen Sie ab', '', 'Dienstag'],
    ...['okay, Dienstag', 'ja, um zehn', 'ja, morgen'],
  ],
  fr: [
    ...[
      'Non.',
      'non merci',
      'oui mais à dix heures',
      'attendez',
      "ce n'est pas bon",
      'pas encore',
      'plutôt mardi',
      'peut-être',
    ],
    ...['un instant', 'annulez', "oui, une autre fois, c'est bon", 'oui, à dix heures', 'est-ce exact', ''],
  ],
  es: [
    'No.',
    'no gracias',
    'sí, pero a las diez',
    'espera',
    'mejor el martes',
    'todavía no',
    'tal vez',
    'cancela',
    'sí o no',
    '',
  ],
  zh: [
    '不。',
    '不是',
    '不好',
    '不可以',
    '等一下',
    '好，但是十点',
    '可以吗',
    '好不好',
    '没有',
    '算了',
    '取消',
    '改到星期二，好',
    '',
  ],
  ja: [
    ...[
      'いいえ。',
      'いや',
      '違います',
      'ちょっと待って',
      'はい、でも十時に',
      '結構です',
      '大丈夫です',
      'だめです',
      'いいですか',
    ],
    ...['お願いしません', 'まだです', 'ううん', 'はい、十時に', ''],
  ],
}

const each = (texts: Record<string, string[]>) =>
  Object.entries(texts).flatMap(([language, list]) => list.map((text) => [language, text] as const))

test.each(each(yes))('in %s "%s" is a yes', (language, text) => expect(isAffirmation(text, language)).toBe(true))
test.each(each(no))('in %s "%s" is none', (language, text) => expect(isAffirmation(text, language)).toBe(false))

test.each([
  ['en', 'yes, cancel it'],
  ['de', 'Ja, sag ab'],
  ['fr', 'oui, annulez'],
  ['es', 'sí, cancélalo'],
  ['zh', '好，取消'],
  ['ja', 'はい、キャンセルしてください'],
])('in %s "%s" is a yes to whether to cancel, and to nothing else', (language, text) => {
  expect(isAffirmation(text, language, { cancelling: true })).toBe(true)
  expect(isAffirmation(text, language)).toBe(false)
  expect(isAffirmation('cancel', language, { cancelling: true })).toBe(false)
})

test('only the language of a tag counts', () => {
  for (const tag of ['de-AT', 'DE', 'de_DE']) expect(isAffirmation('Jawohl', tag)).toBe(true)
})

test('in an unknown language, only the yes of a known language is a yes', () => {
  expect(isAffirmation('Okay!', 'pt')).toBe(true)
  expect(isAffirmation('ok não', 'pt')).toBe(false)
  expect(isAffirmation('ok', 'constructor')).toBe(true)
  expect(isAffirmation('', 'pt')).toBe(false)
})

test('a refusal beside a yes is always a refusal, whatever the other words', () => {
  const refusals = { en: 'no', de: 'nein', fr: 'non', es: 'no', zh: '不要', ja: 'いいえ' }
  const filler = fc.constantFrom('um', 'well', 'so', 'euh', '那个', 'えっと')
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(refusals)),
      fc.array(filler, { maxLength: 3 }),
      fc.nat(),
      (language, words, at) => {
        const answer = [...words, yes[language]![0]!]
        answer.splice(at % (answer.length + 1), 0, refusals[language as 'en'])
        expect(isAffirmation(answer.join(' '), language)).toBe(false)
      },
    ),
    { numRuns: 200 },
  )
})
