import { cut, open, textsOf } from './segmenter-texts.js'

const sentences: Record<string, [text: string, ...segments: string[]][]> = {
  en: [
    ['Hello there. How are you? Fine!', 'Hello there.', ' How are you?', ' Fine!'],
    ['He paid 3.14 at 12:30. Then 1,000.', 'He paid 3.14 at 12:30.', ' Then 1,000.'],
    [
      'Dr. Smith met Mrs. Jones e.g. at St. Paul. They talked.',
      'Dr. Smith met Mrs. Jones e.g. at St. Paul.',
      ' They talked.',
    ],
    ['J. R. R. Tolkien wrote. We read.', 'J. R. R. Tolkien wrote.', ' We read.'],
    ['No. I mean it. See no. 5 there. Bye.', 'No.', ' I mean it.', ' See no. 5 there.', ' Bye.'],
    [
      'See https://a.example/b.c?d=e. Or x.y@z.example! Done.',
      'See https://a.example/b.c?d=e.',
      ' Or x.y@z.example!',
      ' Done.',
    ],
    ['“Stop!” she said. (Really.) "So." He did.', '“Stop!”', ' she said.', ' (Really.)', ' "So."', ' He did.'],
    ['Wait... what?! Yes… it is.', 'Wait...', ' what?!', ' Yes…', ' it is.'],
    ['**Bold.** Then plain.', '**Bold.**', ' Then plain.'],
    ['1. Milk\n2. Bread', '1. Milk\n2. Bread'],
    ['A heading\n\nThe text.', 'A heading\n\n', 'The text.'],
    ['A paragraph.\n\nAnother.\nAnd more.', 'A paragraph.\n\n', 'Another.', '\nAnd more.'],
    ['“A paragraph.”\r\n\r\nAnother. \n\nA third.', '“A paragraph.”\r\n\r\n', 'Another.', ' \n\nA third.'],
  ],
  de: [
    ['Am 3. Mai kam er. Dann ging er.', 'Am 3. Mai kam er.', ' Dann ging er.'],
    ['Es war 2024. Dann kam sie.', 'Es war 2024.', ' Dann kam sie.'],
    [
      'Z. B. Hr. M. Huber bzw. Fr. Dr. Meier usw. waren da. Gut.',
      'Z. B. Hr. M. Huber bzw. Fr. Dr. Meier usw. waren da.',
      ' Gut.',
    ],
    ['„Wirklich?“ Ja. »Nein.« Doch.', '„Wirklich?“', ' Ja.', ' »Nein.«', ' Doch.'],
    ['Ludwig XIV. war König. Ja.', 'Ludwig XIV. war König.', ' Ja.'],
    ['Um 9.30 Uhr, d. h. i. d. R. früh. Ja.', 'Um 9.30 Uhr, d. h. i. d. R. früh.', ' Ja.'],
  ],
  fr: [
    ['Bonjour ! Ça va ? Oui.', 'Bonjour !', ' Ça va ?', ' Oui.'],
    ['« Bonjour. » Il part.', '« Bonjour. »', ' Il part.'],
    ['«\u00a0Bonjour\u00a0!\u00a0» Il part.', '«\u00a0Bonjour\u00a0!\u00a0»', ' Il part.'],
    ['M. Dupont et Mme. Petit av. J.-C. bien sûr. Fin.', 'M. Dupont et Mme. Petit av. J.-C. bien sûr.', ' Fin.'],
  ],
  es: [
    ['¡Hola!¿Qué tal? Bien.', '¡Hola!', '¿Qué tal?', ' Bien.'],
    ['El Sr. López, la Sra. Gil etc. de EE. UU. Vienen.', 'El Sr. López, la Sra. Gil etc. de EE. UU. Vienen.'],
    ['No. Gracias. P. ej. así. Sí.', 'No.', ' Gracias.', ' P. ej. así.', ' Sí.'],
  ],
  zh: [
    ['你好。“再见！”他说。好吗？', '你好。', '“再见！”', '他说。', '好吗？'],
    ['价格是3.14元。一共１，０００元！', '价格是3.14元。', '一共１，０００元！'],
    ['我想……好的。', '我想……', '好的。'],
  ],
  ja: [
    ['こんにちは。「元気ですか？」はい！', 'こんにちは。', '「元気ですか？」', 'はい！'],
    ['そう…です。', 'そう…', 'です。'],
    ['ver.２．５です。はい。', 'ver.２．５です。', 'はい。'],
  ],
}

for (const [spoken, cases] of Object.entries(sentences)) {
  test.each(cases)(`${spoken}: %s`, (text, ...expected) => {
    expect(cut([text], { language: spoken })).toEqual(expected)
  })
}

describe('the first segment', () => {
  test('ends with its first clause after 20 characters, later ones do not', () => {
    const text = 'Well, this is a long one, which goes on. And this is another one, which goes on too.'
    expect(cut([text])).toEqual([
      'Well, this is a long one,',
      ' which goes on.',
      ' And this is another one, which goes on too.',
    ])
  })

  test('ends between words after the delay, and no earlier', () => {
    const segmenter = open()
    expect(segmenter.add('I will tell you all ab', 1_000)).toEqual([])
    expect(segmenter.dueMs).toBe(1_500)
    expect(segmenter.pass(1_499)).toEqual([])
    expect(textsOf(segmenter.pass(1_500))).toEqual(['I will tell you all'])
    expect(textsOf(segmenter.end())).toEqual([' ab'])
  })

  test('ends with the first word that is whole after the delay', () => {
    const segmenter = open()
    expect(segmenter.add('Incom', 0)).toEqual([])
    expect(segmenter.pass(500)).toEqual([])
    expect(segmenter.dueMs).toBeUndefined()
    expect(segmenter.add('prehens', 600)).toEqual([])
    expect(textsOf(segmenter.add('ibly l', 700))).toEqual(['Incomprehensibly'])
    expect(segmenter.add('ong and so on and so forth', 5_000)).toEqual([])
  })

  test('with a shorter delay for it, ends between words after that delay once it has 20 characters', () => {
    const segmenter = open({ firstDelayMs: 80 })
    expect(segmenter.add('Sure, I can ', 1_000)).toEqual([])
    expect(segmenter.dueMs).toBe(1_080)
    expect(segmenter.pass(1_080)).toEqual([])
    expect(segmenter.dueMs).toBe(1_500)
    expect(textsOf(segmenter.add('help you wi', 1_120))).toEqual(['Sure, I can help you'])
    expect(segmenter.add('th that and with more', 5_000)).toEqual([])
  })

  test('with a shorter delay for it, ends between fewer words after the delay', () => {
    const segmenter = open({ firstDelayMs: 80 })
    segmenter.add('Sure, I ca', 1_000)
    expect(segmenter.pass(1_499)).toEqual([])
    expect(textsOf(segmenter.pass(1_500))).toEqual(['Sure, I'])
  })

  test('with a shorter delay for it, ends with a sentence that no text follows within that delay', () => {
    const segmenter = open({ firstDelayMs: 80 })
    segmenter.add('Sure.', 1_000)
    expect(textsOf(segmenter.pass(1_080))).toEqual(['Sure.'])
    segmenter.add(' One.', 1_100)
    expect(segmenter.dueMs).toBe(1_600)
  })

  test('is cut between words where no spaces are written', () => {
    const segmenter = open({ language: 'zh' })
    expect(segmenter.add('今天天气很好我们去公园', 0)).toEqual([])
    const [first] = segmenter.pass(500)
    expect('今天天气很好我们去公园'.startsWith(first!.text)).toBe(true)
    expect(first!.text.length).toBeGreaterThan(4)
  })

  test('is not cut inside a number with spaces or after an abbreviation when the delay is over', () => {
    const segmenter = open()
    segmenter.add('We paid 10 000 000 000', 0)
    expect(textsOf(segmenter.pass(500))).toEqual(['We paid'])
    const other = open()
    other.add('We met Dr. Sm', 0)
    expect(textsOf(other.pass(500))).toEqual(['We met'])
  })
})

describe('a mark without text after it', () => {
  test.each(['.', '!', '…', '."', '。', '?)'])('%s waits for the text after it', (mark) => {
    const segmenter = open()
    expect(segmenter.add(`Hello${mark}`, 0)).toEqual([])
    expect(textsOf(segmenter.add(' And', 0))).toEqual([`Hello${mark}`])
  })

  test('is an end after the delay, also in a later segment', () => {
    const segmenter = open()
    segmenter.add('Hello. There.', 0)
    expect(segmenter.dueMs).toBe(500)
    expect(textsOf(segmenter.pass(500))).toEqual([' There.'])
    expect(segmenter.dueMs).toBeUndefined()
  })

  test.each(['It is 3.', 'See www.example.', 'See https://example.', 'To a@example.', 'So said Dr.', 'It is 1,', 'J.'])(
    '%s stays open, however long no text arrives',
    (text) => {
      const segmenter = open()
      segmenter.add('First. ', 0)
      segmenter.add(text, 0)
      expect(segmenter.pass(60_000)).toEqual([])
      expect(textsOf(segmenter.flush())).toEqual([` ${text}`])
    },
  )

  test('No. counts as a sentence after the delay', () => {
    const segmenter = open()
    segmenter.add('No. ', 0)
    expect(textsOf(segmenter.pass(500))).toEqual(['No.'])
  })
})

describe('flush and end', () => {
  test('a flush returns the text so far', () => {
    const segmenter = open()
    segmenter.add('Hello. How are', 0)
    expect(textsOf(segmenter.flush())).toEqual([' How are'])
    expect(segmenter.flush()).toEqual([])
  })

  test('half a surrogate pair waits for its second half, through a flush too', () => {
    for (const mode of ['auto', 'none'] as const) {
      const segmenter = open({ mode })
      const segments = [...segmenter.add('Look \ud83d', 0), ...segmenter.flush(), ...segmenter.add('\ude00', 0)]
      const all = textsOf([...segments, ...segmenter.end()])
      expect(all.join('')).toBe('Look 😀')
      expect(all.every((text) => text.isWellFormed())).toBe(true)
    }
  })

  test('white space belongs to the text after it; at the end it is reported as not speakable', () => {
    const segmenter = open()
    expect(segmenter.add('  \n ', 0)).toEqual([])
    expect(segmenter.flush()).toEqual([])
    expect(textsOf(segmenter.add('Hello. ', 0))).toEqual(['  \n Hello.'])
    expect(segmenter.flush()).toEqual([])
    expect(segmenter.end()).toEqual([{ text: ' ', speakable: false }])
  })

  test('an empty text has no segments', () => {
    expect(cut([])).toEqual([])
    expect(cut([''])).toEqual([])
    expect(cut(['', ''], { mode: 'none' })).toEqual([])
  })
})
