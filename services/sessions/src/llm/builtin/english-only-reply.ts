/** Common words of a language that are not English, and the reply in that language. */
const languages: readonly (readonly [words: string, answer: string])[] = [
  ['ich nicht und ist wie guten danke hallo bitte wer bist kannst wo warum heißt', 'Ich spreche leider nur Englisch.'],
  [
    "bonjour merci je vous est quelle comment salut pourquoi suis ça voulez heure bonsoir s'il",
    "Je ne parle malheureusement que l'anglais.",
  ],
  ['hola gracias qué cómo estás buenos días soy puedes por usted dónde hablas', 'Lo siento, solo hablo inglés.'],
]
const answers = languages.map(([words, answer]) => ({ common: new Set(words.split(' ')), answer }))

/**
 * The reply that only English is spoken, in the language of the user's words. Undefined for English and for unknown
 * languages. `plain` is the result of `plainWords`.
 */
export const englishOnlyReply = (plain: string): string | undefined => {
  const words = plain.split(' ')
  return answers.find(({ common }) => {
    const hits = words.filter((word) => common.has(word)).length
    return hits >= 2 || (hits === 1 && words.length <= 2)
  })?.answer
}
