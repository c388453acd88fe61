import type { Lexicon, SpeechModel } from '@parlance/models'

const wordCount = 5

/** Returns a text that a model can speak: words of its lexicon, or the name of its language in that language. */
export const trialText = ({ speaksLexiconOnly, speakers }: SpeechModel, lexicon: Lexicon): string => {
  if (speaksLexiconOnly) {
    const words = [...lexicon.keys()].filter((word) => /^\p{L}{2,}$/u.test(word))
    return `${(words.length === 0 ? [...lexicon.keys()] : words).slice(0, wordCount).join(' ')}.`
  }
  const language = speakers[0]!.languages[0]!.split('-')[0]!
  return `${new Intl.DisplayNames([language], { type: 'language' }).of(language)}.`
}
