import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { createSegmenter, maxSegmentLength, type Segment, type SegmenterOptions } from '../src/index.js'

const seed = testSeed()
beforeAll(() => process.stdout.write(`segmenter: seed ${seed}\n`))

const open = (options: Partial<SegmenterOptions> = {}) =>
  createSegmenter({ language: 'en', mode: 'auto', maxDelayMs: 500, ...options })

const textsOf = (segments: readonly Segment[]) => segments.map(({ text }) => text)

/** The segments of a text that comes in these pieces, all at once. */
const cut = (pieces: readonly string[], options: Partial<SegmenterOptions> = {}): string[] => {
  const segmenter = open(options)
  return textsOf([...pieces.flatMap((piece) => segmenter.add(piece, 0)), ...segmenter.end()])
}

/** Text parted anywhere, in the middle of surrogate pairs too. */
const parted = (text: string, places: readonly number[]): string[] => {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

const languages = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'sw', null] as const
const language = fc.constantFrom(...languages)
const places = fc.array(fc.nat(5_000), { maxLength: 40, size: 'max' })

/** What no segment may end inside of, in any language. */
const whole = [
  ...['3.14', '1,000', '12:30', '2026-11-21', '1 000 000', '1,234,567.89', '-0.5%', '٣٫١٤', '１，０００'],
  ...['https://a.example/b?c=d.e,f;g!h', 'www.parlance.example', 'ada.l@mail.example.org', 'file.tar.gz', 'v1.2.3'],
  ...['e.g.', 'U.S.', 'J. R. R. Tolkien', 'Dr. Who', 'z.B.', 'p. 5'],
  ...['👩‍👩‍👧', '🇩🇪🇫🇷', 'e\u0301', '👍🏽', '한국어', 'कि'],
]

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...whole) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'hello',
      'no',
      'wie',
      '“so”',
      '(yes)',
      '«oui»',
      'ça',
      'Ende.',
      'What?!',
      'Well…',
      'a,',
      'b;',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '你好。',
      '今日は、',
      '。\u0301',
      '，\ufe0f',
      '—\u200d',
      '「はい！」',
      '我们',
      '。',
      '、',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\n\n', '\r\n', '   ', '---', '...', '\u00a0', '\ud83d', '\ude00') },
)
const generatedText = fc
  .array(piece, { maxLength: 120, size: 'max' })
  .chain((pieces) => fc.constantFrom(' ', ' ', ' ', '').map((between) => pieces.join(between)))

const check = (property: fc.IProperty<never> | fc.IRawProperty<unknown>, numRuns = 400) =>
  fc.assert(property as fc.IProperty<unknown>, { seed, numRuns })

describe('whatever the text', () => {
  test('joined, the segments are the text, and none is empty or longer than the limit', () => {
    check(
      fc.property(generatedText, places, language, (text, where, spoken) => {
        const segments = cut(parted(text, where), { language: spoken })
        expect(segments.join('')).toBe(text)
        for (const segment of segments) {
          expect(segment.length).toBeGreaterThan(0)
          expect(segment.length).toBeLessThanOrEqual(maxSegmentLength)
        }
      }),
    )
  })

  test('while no time passes, the segments do not depend on how it was parted', () => {
    check(
      fc.property(generatedText, places, language, (text, where, spoken) => {
        const options = { language: spoken }
        expect(cut(parted(text, where), options)).toEqual(cut([text], options))
      }),
    )
  })

  test('one unit at a time gives the same segments as all at once', () => {
    check(
      fc.property(generatedText, language, (text, spoken) => {
        expect(cut(text.split(''), { language: spoken })).toEqual(cut([text], { language: spoken }))
      }),
      100,
    )
  })

  test('no segment ends inside a character', () => {
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    check(
      fc.property(generatedText, places, language, (text, where, spoken) => {
        const starts = new Set(Array.from(graphemes.segment(text), ({ index }) => index))
        let at = 0
        for (const segment of cut(parted(text, where), { language: spoken })) {
          expect(starts).toContain(at)
          at += segment.length
        }
      }),
    )
  })

  test('no segment ends inside a number, an abbreviation, an address or an emoji', () => {
    const itemsBetween = (...fillers: string[]) =>
      fc.array(fc.oneof(fc.constantFrom(...whole), fc.constantFrom(...fillers)), {
        minLength: 1,
        maxLength: 150,
        size: 'max',
      })
    const items = fc.oneof(itemsBetween('hello', 'Ende.', 'What?!', 'so,', '“Yes.”'), itemsBetween('hello'))
    check(
      fc.property(items, places, (items, where) => {
        const text = items.join(' ')
        const ends = new Set<number>()
        let at = 0
        for (const segment of cut(parted(text, where))) {
          at += segment.length
          ends.add(at)
        }
        let start = 0
        for (const word of items) {
          for (let inside = start + 1; inside < start + word.length; inside++) {
            if (ends.has(inside)) throw new Error(`cut inside ${word}`)
          }
          start += word.length + 1
        }
      }),
    )
  })

  test('with flushes and time passing it is still all there, in order, within the limit', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ text: fc.oneof(piece, fc.constant('word ')) }) },
      { weight: 1, arbitrary: fc.record({ passMs: fc.nat(900) }) },
      { weight: 1, arbitrary: fc.constant('flush' as const) },
    )
    check(
      fc.property(
        fc.array(step, { maxLength: 200, size: 'max' }),
        language,
        fc.constantFrom('auto', 'none'),
        (steps, spoken, mode) => {
          const segmenter = open({ language: spoken, mode })
          const segments: Segment[] = []
          let text = ''
          let nowMs = 0
          for (const done of steps) {
            if (done === 'flush') segments.push(...segmenter.flush())
            else if ('text' in done) {
              text += done.text
              segments.push(...segmenter.add(done.text, nowMs))
            } else {
              nowMs += done.passMs
              segments.push(...segmenter.pass(nowMs))
            }
          }
          const last = segmenter.end()
          expect(textsOf([...segments, ...last]).join('')).toBe(text)
          expect(segments.every(({ speakable, text: { length } }) => speakable || length === maxSegmentLength)).toBe(
            true,
          )
          if (mode === 'auto') expect([...segments, ...last].every(({ text: { length } }) => length <= 300)).toBe(true)
        },
      ),
    )
  })
})

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

  test('is cut between words where no spaces are written', () => {
    const segmenter = open({ language: 'zh' })
    expect(segmenter.add('今天天气很好我们去公园', 0)).toEqual([])
    const [first] = segmenter.pass(500)
    expect('今天天气很好我们去公园'.startsWith(first!.text)).toBe(true)
    expect(first!.text.length).toBeGreaterThan(4)
  })

  test('is not cut inside a number that holds spaces, nor after an abbreviation, when the delay is over', () => {
    const segmenter = open()
    segmenter.add('We paid 10 000 000 000', 0)
    expect(textsOf(segmenter.pass(500))).toEqual(['We paid'])
    const other = open()
    other.add('We met Dr. Sm', 0)
    expect(textsOf(other.pass(500))).toEqual(['We met'])
  })
})

describe('a mark that nothing has come after', () => {
  test.each(['.', '!', '…', '."', '。', '?)'])('%s waits for what follows', (mark) => {
    const segmenter = open()
    expect(segmenter.add(`Hello${mark}`, 0)).toEqual([])
    expect(textsOf(segmenter.add(' And', 0))).toEqual([`Hello${mark}`])
  })

  test('is an end after the delay, in a later segment too', () => {
    const segmenter = open()
    segmenter.add('Hello. There.', 0)
    expect(segmenter.dueMs).toBe(500)
    expect(textsOf(segmenter.pass(500))).toEqual([' There.'])
    expect(segmenter.dueMs).toBeUndefined()
  })

  test.each(['It is 3.', 'See www.example.', 'See https://example.', 'To a@example.', 'So said Dr.', 'It is 1,', 'J.'])(
    '%s stays open, however long nothing comes',
    (text) => {
      const segmenter = open()
      segmenter.add('First. ', 0)
      segmenter.add(text, 0)
      expect(segmenter.pass(60_000)).toEqual([])
      expect(textsOf(segmenter.flush())).toEqual([` ${text}`])
    },
  )

  test('No. is an answer after the delay', () => {
    const segmenter = open()
    segmenter.add('No. ', 0)
    expect(textsOf(segmenter.pass(500))).toEqual(['No.'])
  })
})

describe('flush and end', () => {
  test('a flush speaks what there is', () => {
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

  test('white space goes with what follows; at the end it is told as not speakable', () => {
    const segmenter = open()
    expect(segmenter.add('  \n ', 0)).toEqual([])
    expect(segmenter.flush()).toEqual([])
    expect(textsOf(segmenter.add('Hello. ', 0))).toEqual(['  \n Hello.'])
    expect(segmenter.flush()).toEqual([])
    expect(segmenter.end()).toEqual([{ text: ' ', speakable: false }])
  })

  test('nothing at all is no segment', () => {
    expect(cut([])).toEqual([])
    expect(cut([''])).toEqual([])
    expect(cut(['', ''], { mode: 'none' })).toEqual([])
  })
})

test('mode none speaks each text as given', () => {
  const long = 'word '.repeat(700)
  const segments = cut(['Hel', 'lo. How', ' ', 'are you? Fine.', long, '!'], { mode: 'none' })
  expect(segments).toEqual(['Hel', 'lo. How', ' are you? Fine.', long, '!'])
})

test.each(['a', '7', 'é', '漢', '😀', '👩‍👩‍👧', 'e\u0301', '.', ' ', '\r\n'])(
  'a thousand times %j is cut within the limit, between two of them',
  (unit) => {
    const text = unit.repeat(1000)
    const segments = cut([text])
    expect(segments.join('')).toBe(text)
    for (const segment of segments) {
      expect(segment.length).toBeLessThanOrEqual(maxSegmentLength)
      expect(segment.length % unit.length).toBe(0)
    }
  },
)

test('a character with more accents than a segment holds is cut all the same', () => {
  const text = `e${'\u0301'.repeat(1000)}`
  const segments = cut([text])
  expect(segments.join('')).toBe(text)
  expect(Math.max(...segments.map(({ length }) => length))).toBeLessThanOrEqual(maxSegmentLength)
})

test.each(['a', 'word ', '. ', '" ', '1 ', 'Dr. ', '漢', '!', '\n'])(
  'eight times as much of %j, one unit at a time, is no more than some eight times the work',
  (unit) => {
    const workMs = (length: number) => {
      const units = unit.repeat(length / unit.length).split('')
      const begun = process.cpuUsage()
      cut(units)
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1000
    }
    workMs(20_000)
    const small = Math.min(...[1, 2, 3, 4].map(() => workMs(5_000)))
    const large = Math.min(...[1, 2].map(() => workMs(40_000)))
    // Work that grows with the square of the length would be 64 times as much.
    expect(large / Math.max(small, 0.5)).toBeLessThan(24)
  },
)
