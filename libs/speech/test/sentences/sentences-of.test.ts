import fc from 'fast-check'
import { sentencesOf } from '../../src/sentences/index.js'

test('sentences end by the rules of the language, and a paragraph’s line breaks stay with it', () => {
  expect(sentencesOf('Dr. Smith paid $3.50. Why? Well…\n\nHe did.', 'en')).toEqual([
    'Dr. Smith paid $3.50.',
    ' Why?',
    ' Well…\n\n',
    'He did.',
  ])
  expect(sentencesOf('Wir gehen bzw. fahren. Gut!', 'de-AT')).toEqual(['Wir gehen bzw. fahren.', ' Gut!'])
  expect(sentencesOf('我回家。你呢？', 'zh')).toEqual(['我回家。', '你呢？'])
  expect(sentencesOf('', null)).toEqual([])
})

test('joined, the sentences are the text', () => {
  const part = fc.oneof(fc.constantFrom('. ', '! ', '\n\n', '。', 'Dr. ', '3.5', '…'), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), fc.constantFrom('en', 'de', 'fr', 'ja', null), (parts, language) => {
      expect(sentencesOf(parts.join(''), language).join('')).toBe(parts.join(''))
    }),
  )
})
