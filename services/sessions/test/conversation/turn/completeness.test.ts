import { completenessOf } from '../../../src/conversation/turn/completeness.js'

test.each([
  ['en', 'what time is it', 'complete'],
  ['en', 'tell me the time', 'complete'],
  ['en', 'Tell me the time.', 'complete'],
  ['en', 'He said "No."', 'complete'],
  ['en', 'tell me the', 'incomplete'],
  ['en-GB', 'this and', 'incomplete'],
  ['en', "I think I'm", 'incomplete'],
  ['en', 'I think I’m', 'incomplete'],
  ['en', 'first,', 'incomplete'],
  ['en', 'well...', 'incomplete'],
  ['en', 'where are you from', 'uncertain'],
  ['en', 'band', 'complete'],
  ['en', '42', 'complete'],
  ['en', 'Then I would like the.', 'incomplete'],
  ['en', 'Where are you from?', 'complete'],
  ['en', 'I come from.', 'complete'],
  ['en', 'my number is seven three', 'uncertain'],
  ['en', 'at half past three', 'complete'],
  ['de', 'mein Büro ist am', 'uncertain'],
  ['de', 'ich möchte eine', 'incomplete'],
  ['de', 'ich möchte eine Pizza', 'complete'],
  ['fr', 'je voudrais une', 'incomplete'],
  ['es', 'quiero una pizza y', 'incomplete'],
  ['es', '¿Qué hora es?', 'complete'],
  ['xx', 'this and', 'complete'],
  ['xx', 'this,', 'incomplete'],
  ['ja', '元気ですか。', 'complete'],
  ['en', '', 'complete'],
])('of language %s, "%s" is %s', (language, text, expected) => {
  expect(completenessOf(text, language)).toBe(expected)
})
