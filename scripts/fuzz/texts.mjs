import fc from 'fast-check'

/** Letters of many scripts, some of which no voice speaks. */
const scripts = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'äöüßéèêëçñõåæøœłżźśćńąęİıŒÄÖÜÉÅØŁŻ',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёђїєґ',
  'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώ',
  '我你他的是在不了有和人这中大为上个国',
  'あいうえおかきくけこアイウエオカキクケコ',
  '가나다라마바사아자차카타파하',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'अआइईउऊएऐओऔकखगघचछजझटठ',
  'กขคงจฉชซญดตถทธนบปผฝ',
  'აბგდევზთიკლმნოპჟრსტ',
]
const combiningMarks = '\u0300\u0301\u0302\u0303\u0308\u030a\u0327\u0323\u064b\u093e\u0e34\u20dd\u20e3'
const emoji = ['😀', '👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', '❤️', '🏳️‍🌈', '🧑🏿‍🚀', '1️⃣', '☎', '™', '𝔘', '𒀀']
const markup = [
  ...['<speak>', '</speak>', '<b>', '<br/>', '<say-as interpret-as="characters">', '<break time="9s"/>', '<', '>'],
  ...['&amp;', '&#65;', '&#x1F600;', '&nbsp;', '&', '[[', ']]', "[[h@'loU]]", '{{', '**', '__', '`', '#', '~~', '|'],
  ...['\u0001V', '\u00015P', '\0', '\u001b[31m', '\ue03c', '\ufeff', '\u200b', '\u00ad', '\u2028', '\ud83d', '\udc00'],
]
const separators = [
  '',
  ' ',
  '.',
  '. ',
  ' . ',
  '..',
  '...',
  '…',
  ',',
  ', ',
  '-',
  '–',
  '/',
  ':',
  ';',
  "'",
  '’',
  '\n',
  '\n\n',
  '\t',
  '_',
  '@',
  '&',
]
const quotes = ['', '', '', '"', "'", '(', ')', '”', '«', '[', '!', '?']

const from = (...choices) => fc.constantFrom(...choices)
const characterOf = (script) => from(...script)
const character = fc.oneof(...scripts.map(characterOf))
const separator = from(...separators)
const join = (parts) => fc.tuple(...parts).map((texts) => texts.join(''))
const repeated = (unit, most) =>
  fc.tuple(unit, fc.integer({ min: 2, max: most })).map(([text, times]) => text.repeat(times))

const word = from(...scripts).chain((script) => fc.string({ unit: characterOf(script), minLength: 1, maxLength: 12 }))
const mixedWord = fc.string({ unit: character, minLength: 1, maxLength: 10 })
/** Texts of the maximum length, of one letter, of a few or of all. */
const longWord = fc.oneof(
  repeated(character, 2000),
  repeated(word, 150),
  from(...scripts).chain((script) => fc.string({ unit: characterOf(script), minLength: 20, maxLength: 250 })),
)
/** `a.a.a.`, `U.S.A.`, `a . b . c`, `"a".'b'.` and the like, and what may follow them. */
const dottedRun = fc.oneof(
  repeated(join([from(...quotes), fc.oneof(character, word), from(...quotes), separator]), 200),
  fc.array(fc.tuple(character, separator), { minLength: 2, maxLength: 60 }).map((pairs) => pairs.flat().join('')),
  join([repeated(join([character, from('.', '. ', ' . ', '..')]), 120), longWord]),
)
const digits = fc.string({ unit: from(...'0123456789'), minLength: 1, maxLength: 40 })
const number = fc.oneof(
  digits,
  join([digits, from('.', ',', ':', '/', '-', ' ', '%', '€', 'th', 'st', 'e', '^', '°'), digits]),
  repeated(join([digits, from('.', ',', ' ', '-', ':')]), 60),
  join([from('$', '€', '£', '-', '+', '±', '#', '№'), digits]),
  from(
    'MMXXIV',
    'XIV.',
    '½',
    '١٢٣',
    '四百',
    '²³',
    'Ⅷ',
    '1/2',
    '24.12.2026',
    '12:30:59',
    '+49 (0)30 123-456',
    '::1',
    '1e400',
  ),
)
const combining = fc
  .tuple(character, fc.string({ unit: characterOf(combiningMarks), minLength: 1, maxLength: 30 }))
  .map(([base, marks]) => base + marks)
const punctuation = fc.string({
  unit: from(...'.,;:!?…-–—\'"()[]{}<>/\\|@#$%^&*_+=~`¡¿。、！？'),
  minLength: 1,
  maxLength: 60,
})

const piece = fc.oneof(
  { arbitrary: word, weight: 9 },
  { arbitrary: mixedWord, weight: 2 },
  { arbitrary: dottedRun, weight: 3 },
  { arbitrary: number, weight: 3 },
  { arbitrary: from(...emoji), weight: 1 },
  { arbitrary: repeated(from(...emoji), 100), weight: 1 },
  { arbitrary: combining, weight: 1 },
  { arbitrary: repeated(combining, 30), weight: 1 },
  { arbitrary: from(...markup), weight: 2 },
  { arbitrary: repeated(from(...markup), 60), weight: 1 },
  { arbitrary: longWord, weight: 1 },
  { arbitrary: punctuation, weight: 2 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 30 }), weight: 1 },
)

/** Most segments are at most this long; no client may send more than the last length. */
const maxCharacters = fc.oneof(
  { arbitrary: fc.constant(60), weight: 6 },
  { arbitrary: fc.constant(300), weight: 3 },
  { arbitrary: fc.constant(5000), weight: 1 },
)

/** Texts that a synthesizer is unlikely to have been tested with. */
export const texts = fc
  .tuple(fc.array(fc.tuple(piece, separator), { minLength: 1, maxLength: 4 }), maxCharacters)
  .map(([pairs, most]) => [...pairs.flat().join('')].slice(0, most).join(''))
  .filter((text) => text !== '')
