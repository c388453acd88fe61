import fc from 'fast-check'
import { segmentText } from '../src/index.js'
import { maxSegmentLength } from '../src/segment-cutter.js'

const words = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(
      'Hello',
      'Dr.',
      '3,141.5',
      'https://a.b/c?d=e,f',
      'Wie?',
      '你好。',
      '今日は！',
      '…',
      '\n',
      '👩‍👩‍👧',
      ',',
    ),
  ),
  { maxLength: 200 },
)

test('joined, the segments are the text; none is empty, too long, or cut inside a character', () => {
  fc.assert(
    fc.property(words, fc.constantFrom('en', 'de', 'zh', 'ja'), (list, language) => {
      const text = list.join(' ')
      const segments = segmentText(text, language)
      expect(segments.join('')).toBe(text)
      for (const segment of segments) {
        expect(segment.length).toBeGreaterThan(0)
        expect(segment.length).toBeLessThanOrEqual(maxSegmentLength)
        expect(segment.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('a text without a single space or mark is cut between characters, never inside one', () => {
  for (const unit of ['a', '😀', '👩‍👩‍👧', 'e\u0301']) {
    const segments = segmentText(unit.repeat(1000), 'en')
    expect(segments.join('')).toBe(unit.repeat(1000))
    expect(segments.every((segment) => segment.isWellFormed() && segment.length <= maxSegmentLength)).toBe(true)
  }
})

test('one character with more accents than a segment holds is still spoken', () => {
  const text = `e${'\u0301'.repeat(1000)}`
  expect(segmentText(text, 'en').join('')).toBe(text)
})

test('short sentences are spoken together, long ones apart', () => {
  expect(segmentText('Hello. How are you? Fine.', 'en')).toHaveLength(1)
  const long = ` Words ${'word '.repeat(40)}end.`
  expect(segmentText(long + long, 'en')).toEqual([long, long])
})

test('a long sentence is cut after a clause mark, not inside a number', () => {
  const [first] = segmentText(`${'word '.repeat(50)}here, ${'more '.repeat(50)}`, 'en')
  expect(first!.endsWith('here,')).toBe(true)
  const [number] = segmentText(`${'word '.repeat(57)}about 1,234,567,890 of them and so on`, 'en')
  expect(number!.endsWith('about')).toBe(true)
})

test('“Dr. Smith” stays in one piece', () => {
  const filler = 'x'.repeat(285)
  expect(segmentText(`${filler}. Then Dr. Smith came.`, 'en')).toEqual([`${filler}.`, ' Then Dr. Smith came.'])
})
