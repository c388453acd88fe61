import fc from 'fast-check'
import { sentencesOf } from '../../src/sentences/sentences-of.js'

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

test('a blank line stays with the sentence before it, also where a space stands between them', () => {
  expect(sentencesOf('One. \n\n Two. \n Three.\n \n', 'en')).toEqual(['One. \n\n ', 'Two.', ' \n Three.\n \n'])
  expect(sentencesOf(' \n\nOne.', 'en')).toEqual([' \n\nOne.'])
})

test('joined, the sentences are the text', () => {
  const part = fc.oneof(fc.constantFrom('. ', '! ', '\n\n', '。', 'Dr. ', '3.5', '…'), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), fc.constantFrom('en', 'de', 'fr', 'ja', null), (parts, language) => {
      expect(sentencesOf(parts.join(''), language).join('')).toBe(parts.join(''))
    }),
  )
})
