import { createSpokenWords } from '../../src/speech/spoken-words.js'

const word = (text: string, start_ms: number) => ({ text, start_ms, end_ms: start_ms + 80 })

/** The parts of the text for the words. */
const placesOf = (text: string, spoken: readonly string[]) => {
  const words = createSpokenWords(text)
  words.add(spoken.map((one, index) => word(one, index * 100)))
  return spoken.map((_, index) => {
    const range = words.at(index * 100)
    return range && text.slice(range.from, range.to)
  })
}

test('each word of the audio is found in the text, in any case and with any punctuation', () => {
  expect(placesOf('Ada, ada! THE end.', ['ada', 'ada', 'the', 'end'])).toEqual(['Ada', 'ada', 'THE', 'end'])
})

test('a word that the engine reports in another form leaves the previous word highlighted', () => {
  expect(placesOf('I have 20 apples.', ['I', 'have', 'twenty', 'apples'])).toEqual(['I', 'have', 'have', 'apples'])
})

test('the length of what was spoken ends with the last word that had ended', () => {
  const words = createSpokenWords('one two three')
  words.add([word('one', 0), word('two', 100), word('three', 200)])
  expect([50, 80, 250, 280].map((positionMs) => words.lengthAt(positionMs))).toEqual([0, 3, 7, 13])
  expect(words.at(-1)).toBeUndefined()
})
