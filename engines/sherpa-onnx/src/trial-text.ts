import type { Lexicon, SpeechModel } from '@parlance/models'

/** The number of words for about one second and about five seconds of speech. */
const lexiconWords = { words: 5, sentence: 12 }

const wordsOf = (lexicon: Lexicon, count: number): string => {
  const words = [...lexicon.keys()].filter((word) => /^\p{L}{2,}$/u.test(word))
  const known = words.length === 0 ? [...lexicon.keys()] : words
  return Array.from({ length: count }, (_, index) => known[index % known.length]).join(' ')
}

const languageOf = ({ speakers }: SpeechModel): string => speakers[0]!.languages[0]!.split('-')[0]!

/** Returns a short text that a model can speak: words of its lexicon, or the name of its language in that language. */
export const trialText = (model: SpeechModel, lexicon: Lexicon): string => {
  if (model.speaksLexiconOnly) return `${wordsOf(lexicon, lexiconWords.words)}.`
  const language = languageOf(model)
  return `${new Intl.DisplayNames([language], { type: 'language' }).of(language)}.`
}

const englishSentences =
  'Thank you for calling. Our shop is open from nine to half past six, and you can always order by telephone. ' +
  'It rained all night, and in the morning nobody could cross the old bridge. How can I help you today?'

/**
 * Returns a text by which the loudness of a model is measured. Models speak the words of a list up to 2 dB softer than
 * sentences, so that English ones speak sentences.
 */
export const loudnessText = (model: SpeechModel, lexicon: Lexicon): string =>
  languageOf(model) === 'en' && !model.speaksLexiconOnly ? englishSentences : trialSentence(model, lexicon)

/** The date of a Sunday. */
const firstDay = Date.UTC(2024, 0, 7)
const dayMs = 86_400_000

/** Returns a sentence of about five seconds: words of the lexicon, or the days of the week in the model's language. */
export const trialSentence = (model: SpeechModel, lexicon: Lexicon): string => {
  if (model.speaksLexiconOnly) return `${wordsOf(lexicon, lexiconWords.sentence)}.`
  const language = languageOf(model)
  const { format } = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const days = Array.from({ length: 7 }, (_, day) => format(firstDay + day * dayMs))
  return `${new Intl.ListFormat(language).format(days)}.`
}
