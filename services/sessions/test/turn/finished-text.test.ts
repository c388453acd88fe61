import { howFinished } from '../../src/turn/finished-text.js'

test.each([
  ['en', 'what time is it', 'finished'],
  ['en', 'tell me the time', 'finished'],
  ['en', 'Tell me the time.', 'finished'],
  ['en', 'He said "No."', 'finished'],
  ['en', 'tell me the', 'unfinished'],
  ['en-GB', 'this and', 'unfinished'],
  ['en', "I think I'm", 'unfinished'],
  ['en', 'I think I’m', 'unfinished'],
  ['en', 'first,', 'unfinished'],
  ['en', 'well...', 'unfinished'],
  ['en', 'where are you from', 'perhaps'],
  ['en', 'band', 'finished'],
  ['en', '42', 'finished'],
  ['de', 'ich möchte eine', 'unfinished'],
  ['de', 'ich möchte eine Pizza', 'finished'],
  ['fr', 'je voudrais une', 'unfinished'],
  ['es', 'quiero una pizza y', 'unfinished'],
  ['es', '¿Qué hora es?', 'finished'],
  ['xx', 'this and', 'finished'],
  ['xx', 'this,', 'unfinished'],
  ['ja', '元気ですか。', 'finished'],
  ['en', '', 'finished'],
])('of language %s, "%s" is %s', (language, text, expected) => {
  expect(howFinished(text, language)).toBe(expected)
})
