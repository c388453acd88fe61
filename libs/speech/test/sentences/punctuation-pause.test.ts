import { punctuationPauseMs } from '../../src/sentences/index.js'

const after = (text: string, language: string | null = null) => punctuationPauseMs(text, { language, speed: 1 })
const paragraphMs = after('Home.\n\n')
const sentenceMs = after('Home.')
const semicolonMs = after('Home;')
const commaMs = after('Home,')

test('the pause is longest after a paragraph, then after a sentence, a semicolon and a comma', () => {
  expect(paragraphMs).toBeGreaterThan(1.5 * sentenceMs)
  expect(sentenceMs).toBeGreaterThan(1.2 * semicolonMs)
  expect(semicolonMs).toBeGreaterThan(1.2 * commaMs)
  expect(commaMs).toBeGreaterThan(100)
})

test.each([
  ['en', 'Home.', 'Home?', 'Home!', 'Home?!', 'Home."', '(Home.)', '“Home.” ', '*Home.*', 'Home.\n'],
  ['zh', '回家。', '回家？', '回家！', '「回家。」'],
  ['ja', '帰る。', '帰るの？', '『帰る！』'],
  ['hi', 'घर चलो।', 'घर॥', 'घर?'],
  ['ar', 'البيت؟', 'البيت.'],
  ['ur', 'گھر۔'],
  ['el', 'Πού είναι;', 'Πού είναι\u037e'],
  ['hy', 'տուն։'],
  ['am', 'ቤት።'],
  ['my', 'အိမ်။'],
  ['km', 'ផ្ទះ។'],
])('in %s a text with an end mark is a sentence: %s', (language, ...texts) => {
  for (const text of texts) expect([text, after(text, language)]).toEqual([text, sentenceMs])
})

test.each<[string, number, ...string[]]>([
  ['semicolon', semicolonMs, 'Home:', '回家；', '回家：', 'البيت؛', 'ቤት፤'],
  ['comma', commaMs, '回家，', '帰る、', 'البيت،', 'home —', 'home –', 'ቤት፣', 'အိမ်၊', 'home,”'],
  ['paragraph', paragraphMs, 'Home\n\n', 'Home. \n\n', 'Home,\r\n\r\n', 'Home\n \n', '回家。\n\n', 'Home\u2029\n'],
])('other marks count as a %s', (_, expectedMs, ...texts) => {
  for (const text of texts) expect([text, after(text)]).toEqual([text, expectedMs])
})

test('an ellipsis pauses at least as long as a full stop', () => {
  for (const text of ['Home…', 'Home...', 'Home....', '回家……', '回家。。。']) {
    expect(after(text)).toBeGreaterThanOrEqual(sentenceMs)
  }
  expect(after('Home…')).toBeLessThan(paragraphMs)
})

test('in Greek a semicolon is a question mark, and a raised dot is a semicolon', () => {
  expect([after('Ναι;', 'el-GR'), after('Ναι·', 'el'), after('Ναι·', 'ca')]).toEqual([sentenceMs, semicolonMs, 0])
})

test('a text that ends within a sentence has no pause', () => {
  for (const text of ['', ' ', 'We went', 'We went ', 'naïve', '3.5', '我', 'U.S', '#', '"we'])
    expect(after(text)).toBe(0)
})

test('the pause is shorter in proportion to the speed of the voice', () => {
  for (const speed of [0.5, 1.5, 2]) {
    expect(punctuationPauseMs('Home.', { language: 'en', speed })).toBeCloseTo(sentenceMs / speed)
  }
})
