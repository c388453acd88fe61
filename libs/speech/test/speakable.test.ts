import { canSay, refuseUnspeakable } from '../src/index.js'

const voiceOf = (...languages: string[]) => ({ display_name: 'Ada', languages })

test.each([
  ['en-GB', 'Hello'],
  ['en-GB', '42'],
  ['en-GB', '٤٢'],
  ['en-GB', 'مرحبا, Ada'],
  ['ar', 'مرحبا'],
  ['ar', 'Parlance'],
  ['ru', 'Привет'],
  ['sr-Latn', 'Zdravo'],
  ['el', 'Γειά'],
  ['hi', 'नमस्ते'],
  ['zh-CN', '你好'],
  ['zh-TW', '你好'],
  ['ja', 'おはよう'],
  ['ja', 'テレビ'],
  ['ja', '日本'],
  ['ko', '안녕'],
  ['mul', 'مرحبا'],
  ['chr-Qaaa', 'مرحبا'],
  ['no_tag', 'مرحبا'],
])('a voice of %s can say %j', (language, text) => {
  expect(canSay(voiceOf(language), text)).toBe(true)
})

test.each([
  ['en-GB', 'مرحبا'],
  ['en-GB', 'Привет'],
  ['ru', 'Γειά'],
  ['zh-CN', 'おはよう'],
  ['en-GB', '👍 🎉'],
  ['en-GB', '€ + %'],
  ['en-GB', '... !'],
  ['mul', '👍'],
])('a voice of %s can say nothing of %j', (language, text) => {
  expect(canSay(voiceOf(language), text)).toBe(false)
})

test('a voice can say a text in any of its languages', () => {
  expect(canSay(voiceOf('en', 'ar'), 'مرحبا')).toBe(true)
})

test('the error names the languages of the voice', () => {
  expect(() => refuseUnspeakable(voiceOf('en-GB', 'de'), 'مرحبا')).toThrow(
    expect.objectContaining({ code: 'text_not_speakable', detail: expect.stringContaining('Ada speaks en-GB, de') }),
  )
})
