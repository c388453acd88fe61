import fc from 'fast-check'
import type { Segment } from '../src/index.js'
import { maxSegmentLength } from '../src/segment-cutter.js'
import {
  check,
  cut,
  generatedText,
  language,
  open,
  parted,
  piece,
  places,
  seed,
  textsOf,
  whole,
} from './segmenter-texts.js'

beforeAll(() => process.stdout.write(`segmenter: seed ${seed}\n`))

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

  test('while no time passes, the segments do not depend on how it was divided', () => {
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

  test('with flushes and passing time it is still complete, in order and within the limit', () => {
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

test('mode none speaks each text unchanged', () => {
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

test('a character with more accents than fit into a segment is cut', () => {
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
