/** Whether a user who pauses has probably finished. */
export type Completeness = 'complete' | 'uncertain' | 'incomplete'

/** Below the first probability most users continue; below the second nearly all. */
const completeProbability = 0.5
const uncertainProbability = 0.1

/** By the probability with which a detector takes the sound of the turn for complete. */
export const completenessOfSound = (probability: number): Completeness => {
  if (probability >= completeProbability) return 'complete'
  return probability >= uncertainProbability ? 'uncertain' : 'incomplete'
}

/**
 * Whether a user who pauses after this text has probably finished. Recognizers rarely write punctuation, so the last word
 * decides: a sentence does not end with "and" or "the", and rarely with "of". For a language without a list only
 * punctuation marks count.
 */
export const completenessOf = (text: string, language: string): Completeness => {
  const trimmed = text.trim()
  if (/[,;:–—-]$|…$|\.\.\.$/u.test(trimmed)) return 'incomplete'
  if (/[.!?。！？؟][\p{Pe}\p{Pf}"']*$/u.test(trimmed)) return 'complete'
  const last = /[\p{L}\p{M}'’]+$/u.exec(trimmed.toLowerCase())?.[0].replace('’', "'")
  const words = openWordsOf(language)
  if (last === undefined || words === undefined) return 'complete'
  if (words.incomplete.has(last)) return 'incomplete'
  return words.uncertain.has(last) ? 'uncertain' : 'complete'
}

const openWordsOf = (language: string): OpenWords | undefined => openWords[language.split('-', 1)[0]!.toLowerCase()]

/** Whether there are lists of words for the language of a BCP 47 tag. */
export const knowsWordsOf = (language: string): boolean => openWordsOf(language) !== undefined

interface OpenWords {
  /** Conjunctions, articles, possessives, fillers: something must follow. */
  readonly incomplete: ReadonlySet<string>
  /** Prepositions and auxiliaries: "where is it from" is complete, "I come from" is not. */
  readonly uncertain: ReadonlySet<string>
}

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const openWords: Readonly<Record<string, OpenWords>> = {
  en: {
    incomplete: wordsOf(
      "and or but because so if when while although than the a an my your his our their every i we they he she i'm um uh er erm hmm like well",
    ),
    uncertain: wordsOf(
      'of to for with from at in on by about into between is are was were am be been have has had do does did can could will would should might must that which who not very really',
    ),
  },
  de: {
    incomplete: wordsOf(
      'und oder aber weil wenn dass ob sondern denn der die das ein eine einen einem einer mein meine dein deine sein ihr ihre ich wir äh ähm öhm hm also',
    ),
    uncertain: wordsOf('von zu für mit aus bei in auf an über zwischen nach ist sind war bin habe hat kann will sehr'),
  },
  fr: {
    incomplete: wordsOf(
      'et ou mais parce que qui si quand car le la les un une des mon ma mes ton ta tes son sa ses je nous euh heu ben alors donc',
    ),
    uncertain: wordsOf('de du à au aux pour avec dans sur par entre est sont était ai a peut veux très'),
  },
  es: {
    incomplete: wordsOf(
      'y o pero porque que si cuando aunque el la los las un una unos unas mi mis tu tus su sus yo eh em este pues entonces',
    ),
    uncertain: wordsOf('de del a al para con en por sobre entre es son era está he ha puede quiero muy'),
  },
}
