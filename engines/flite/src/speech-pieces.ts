/**
 * flite plans a whole utterance before its first sound and cannot be stopped while it plans. Therefore it receives one sentence
 * at a time, a long sentence in its clauses, and a long clause in its phrases. It plans the longest piece in 20 ms, which is
 * also the longest time that it takes to stop.
 */
/**
 * A clause of this length, with the space after it, is a piece. This is also the length of the shortest separate clause when a
 * text is spoken while it arrives, so that such a text lasts as long as a text that is spoken at once.
 */
const shortestClause = 22
const longestPiece = 60
const shortestPhrase = 24
const longestWord = 32

const abbreviations = new Set(
  'dr mr mrs ms st prof sr jr vs etc no vol gen col sgt capt lt rev hon inc ltd co mt ft dept est approx'.split(' '),
)

/** Words before which a reader may pause. */
const phraseOpeners = new Set([
  ...['and', 'or', 'but', 'nor', 'so', 'yet', 'that', 'which', 'who', 'whose', 'where', 'when', 'while', 'because'],
  ...['since', 'although', 'though', 'if', 'unless', 'until', 'than', 'as', 'with', 'without', 'for', 'from', 'to'],
  ...['in', 'into', 'on', 'onto', 'at', 'by', 'after', 'before', 'about', 'between', 'through', 'during', 'against'],
])

const endsSentence = (word: string): boolean => {
  const [, before, end] = /^(.*?)([.!?]+)["')\]}]*$/.exec(word) ?? []
  if (end === undefined) return false
  const bare = before!.replace(/^["'([{]+/, '')
  return end !== '.' || !(/^(?:[a-z]|[a-z](?:\.[a-z])+)$/i.test(bare) || abbreviations.has(bare.toLowerCase()))
}

const endsClause = (word: string): boolean => /[,;:]["')\]}]*$/.test(word)

const opensPhrase = (word: string): boolean => phraseOpeners.has(word.trim().toLowerCase())

const lengthOf = (words: readonly string[]): number => words.reduce((length, word) => length + word.length, 0)

/** Returns the words of the text, each with the white space around it. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(new RegExp(`\\s*\\S{1,${longestWord}}\\s*|\\s+`, 'g'))].map(([word]) => word)

const clausesOf = (words: readonly string[]): string[][] => {
  const clauses: string[][] = [[]]
  for (const word of words) {
    const clause = clauses.at(-1)!
    clause.push(word)
    const bare = word.trim()
    if (endsSentence(bare) || (endsClause(bare) && lengthOf(clause) >= shortestClause)) clauses.push([])
  }
  return clauses.filter((clause) => clause.length > 0)
}

const phrasesOf = (clause: readonly string[]): string[] => {
  const phrases: string[] = []
  let rest = clause
  while (lengthOf(rest) > longestPiece && rest.length > 1) {
    let most = 1
    while (lengthOf(rest.slice(0, most + 1)) <= longestPiece) most += 1
    const beginsPhrase = (at: number) => at > 0 && opensPhrase(rest[at]!) && !opensPhrase(rest[at - 1]!)
    const atPhrase = rest.findLastIndex(
      (_, at) => at <= most && beginsPhrase(at) && lengthOf(rest.slice(0, at)) >= shortestPhrase,
    )
    const cut = atPhrase > 0 ? atPhrase : most
    phrases.push(rest.slice(0, cut).join(''))
    rest = rest.slice(cut)
  }
  return [...phrases, rest.join('')]
}

/** Cuts a text into pieces. Joined, they are the text. */
export const speechPieces = (text: string): string[] => clausesOf(wordsOf(text)).flatMap(phrasesOf)
