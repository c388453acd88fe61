// Counts the words of a voice that recognizers get wrong, through the whole platform.
import { wordErrors, wordsOf } from '../../libs/testing/dist/index.js'
import { speak, transcribe } from './speech-calls.mjs'

/** Everyday sentences, without numbers and names, which can be written in more than one way. */
export const sentences = [
  'Good morning, how can I help you today?',
  'The train to the city leaves in half an hour.',
  'Please tell me whether you would like tea or coffee.',
  'I am afraid that the museum is closed on the first day of the week.',
  'Could you repeat the last part of your question more slowly?',
  'We will send the new keys to your house before the weekend.',
  'The weather is cold and windy, so take a warm coat with you.',
  'Nobody knew why the old clock had stopped in the middle of the night.',
]

/** Speaks the sentences with a voice, and resolves to `{ wrong, words, texts }` by recognizer. */
export const measureVoice = async (platform, voice, recognizers) => {
  const results = new Map(recognizers.map((name) => [name, { wrong: 0, words: 0, texts: [] }]))
  for (const sentence of sentences) {
    const wav = await speak(platform, voice, sentence)
    for (const [name, result] of results) {
      const text = await transcribe(platform, name, wav)
      result.wrong += wordErrors(sentence, text)
      result.words += wordsOf(sentence).length
      result.texts.push(text)
    }
  }
  return results
}

export const shareOf = ({ wrong, words }) => wrong / words
