/** Whether a user who pauses has finished: the pauses after which that is assumed become longer in this order. */
export type Completeness = 'complete' | 'likely' | 'uncertain' | 'incomplete'

/** Below the first probability more users continue than after complete words; below the second nearly all. */
const completeProbability = 0.2
const likelyProbability = 0.1

/** By the probability with which a detector takes the sound of the turn for complete. */
export const completenessOfSound = (probability: number): Exclude<Completeness, 'uncertain'> => {
  if (probability >= completeProbability) return 'complete'
  return probability >= likelyProbability ? 'likely' : 'incomplete'
}

/**
 * Whether a user who pauses after this text has probably finished. Many recognizers write no punctuation, or a period after
 * whatever they got, so the last word decides: a sentence does not end with "and" or "the", and rarely with "of" or in the middle
 * of a number. For a language without a list only punctuation marks count.
 */
export const completenessOf = (text: string, language: string): Exclude<Completeness, 'likely'> => {
  const trimmed = text.trim()
  if (/[,;:–—-]$|…$|\.\.\.$/u.test(trimmed)) return 'incomplete'
  const [, spoken = '', mark = ''] = /^(.*?)([.!?。！？؟]?)[\p{Pe}\p{Pf}"']*$/su.exec(
    trimmed.toLowerCase().replaceAll('’', "'"),
  )!
  const [before, last] = [undefined, ...spoken.split(/[^\p{L}\p{M}\p{N}']+/u)].slice(-2)
  const words = openWordsOf(language)
  if (words === undefined || last === undefined || (mark !== '' && mark !== '.')) return 'complete'
  if (words.incomplete.has(last)) return 'incomplete'
  const isWithinNumber = words.digits.has(last) && before !== undefined && words.digits.has(before)
  return mark === '' && (words.uncertain.has(last) || isWithinNumber) ? 'uncertain' : 'complete'
}

const openWordsOf = (language: string): OpenWords | undefined => openWords[language.split('-', 1)[0]!.toLowerCase()]

/** Whether there are lists of words for the language of a BCP 47 tag. */
export const knowsWordsOf = (language: string): boolean => openWordsOf(language) !== undefined

interface OpenWords {
  /** Conjunctions, articles, possessives, fillers: something must follow. */
  readonly incomplete: ReadonlySet<string>
  /** Prepositions and auxiliaries: "where is it from" is complete, "I come from" is not. */
  readonly uncertain: ReadonlySet<string>
  /** After two of them a third one often follows. */
  readonly digits: ReadonlySet<string>
}

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const openWords: Readonly<Record<string, OpenWords>> = {
  en: {
    incomplete: wordsOf(
      "and or but because so if when while although than the a an my your his our their every i we they he she i'm um uh er erm hmm like well",
    ),
    uncertain: wordsOf(
      'of to for with from at in on by about into between under over near before after through without within until since than is are was were am be been have has had do does did can could will would should might must that which who not very really',
    ),
    digits: wordsOf('zero oh one two three four five six seven eight nine'),
  },
  de: {
    incomplete: wordsOf(
      'und oder aber weil wenn dass ob sondern denn der die das ein eine einen einem einer mein meine dein deine sein ihr ihre ich wir äh ähm öhm hm also',
    ),
    uncertain: wordsOf(
      'von vom zu zum zur für mit aus bei beim in im ins auf an am ans über unter zwischen nach vor um durch gegen ohne bis seit neben hinter ist sind war bin habe hat kann will sehr',
    ),
    digits: wordsOf('null eins zwei zwo drei vier fünf sechs sieben acht neun'),
  },
  fr: {
    incomplete: wordsOf(
      'et ou mais parce que qui si quand car le la les un une des mon ma mes ton ta tes son sa ses je nous euh heu ben alors donc',
    ),
    uncertain: wordsOf(
      'de du à au aux pour avec dans sur sous par entre vers sans avant après depuis chez est sont était ai a peut veux très',
    ),
    digits: wordsOf('zéro un deux trois quatre cinq six sept huit neuf'),
  },
  es: {
    incomplete: wordsOf(
      'y o pero porque que si cuando aunque el la los las un una unos unas mi mis tu tus su sus yo eh em este pues entonces',
    ),
    uncertain: wordsOf(
      'de del a al para con en por sobre entre bajo hacia sin hasta desde es son era está he ha puede quiero muy',
    ),
    digits: wordsOf('cero uno dos tres cuatro cinco seis siete ocho nueve'),
  },
}
