import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { createSegmenter, type Segment, type SegmenterOptions } from '../src/index.js'

export const seed = testSeed()

export const open = (options: Partial<SegmenterOptions> = {}) =>
  createSegmenter({ language: 'en', mode: 'auto', maxDelayMs: 500, ...options })

export const textsOf = (segments: readonly Segment[]) => segments.map(({ text }) => text)

/** The segments of a text that arrives in these parts, all at once. */
export const cut = (pieces: readonly string[], options: Partial<SegmenterOptions> = {}): string[] => {
  const segmenter = open(options)
  return textsOf([...pieces.flatMap((piece) => segmenter.add(piece, 0)), ...segmenter.end()])
}

/** Text that is divided anywhere, even within surrogate pairs. */
export const parted = (text: string, places: readonly number[]): string[] => {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

export const languages = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'sw', null] as const
export const language = fc.constantFrom(...languages)
export const places = fc.array(fc.nat(5_000), { maxLength: 40, size: 'max' })

/** Texts within which no segment may end, in any language. */
export const whole = [
  ...['3.14', '1,000', '12:30', '2026-11-21', '1 000 000', '1,234,567.89', '-0.5%', '٣٫١٤', '１，０００'],
  ...['https://a.example/b?c=d.e,f;g!h', 'www.parlance.example', 'ada.l@mail.example.org', 'file.tar.gz', 'v1.2.3'],
  ...['e.g.', 'U.S.', 'J. R. R. Tolkien', 'Dr. Who', 'z.B.', 'p. 5'],
  ...['👩‍👩‍👧', '🇩🇪🇫🇷', 'e\u0301', '👍🏽', '한국어', 'कि'],
]

export const piece = fc.oneof(
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
export const generatedText = fc
  .array(piece, { maxLength: 120, size: 'max' })
  .chain((pieces) => fc.constantFrom(' ', ' ', ' ', '').map((between) => pieces.join(between)))

export const check = (property: fc.IProperty<never> | fc.IRawProperty<unknown>, numRuns = 400) =>
  fc.assert(property as fc.IProperty<unknown>, { seed, numRuns })
