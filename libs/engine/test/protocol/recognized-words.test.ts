import { recognizedWords } from '../../src/protocol/index.js'

test.each(['', ' \n', '.', ' . . . ', '…', '[BLANK_AUDIO]', ' (wind blowing) ', '*sighs* [Music].', '♪ ♪', '（音楽）'])(
  '%j has no words',
  (text) => {
    expect(recognizedWords(text)).toBe('')
  },
)

test.each([
  [' Hello. ', 'Hello.'],
  ['[Music] Hello (again)!', '[Music] Hello (again)!'],
  ['7', '7'],
  ['はい。', 'はい。'],
  ['(Yes', '(Yes'],
])('%j is kept, without the space around it', (text, words) => {
  expect(recognizedWords(text)).toBe(words)
})
