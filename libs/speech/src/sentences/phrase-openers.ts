/** Words that begin a clause without a comma before them, by the primary subtag of the language. */
const openers: Readonly<Record<string, string>> = {
  en: 'and but or so because which who that when while where if although though until unless',
  de: 'und aber oder denn sondern weil dass wenn',
  fr: 'et mais ou donc car qui que quand lorsque puis',
  es: 'y e pero o u porque que cuando aunque',
  it: 'e ed ma o oppure perché che quando',
  pt: 'e mas ou porque que quando embora',
  nl: 'en maar of want omdat dat wanneer als',
}

const patterns = new Map(
  Object.entries(openers).map(([language, words]) => [
    language,
    new RegExp(`(?<=[\\p{L}\\p{N}])\\s+(?=(?:${words.replaceAll(' ', '|')})\\s)`, 'gu'),
  ]),
)

/** Returns the offsets in `text` before the white space in front of such a word; none for an unknown language. */
export const phraseStarts = (text: string, language: string | null): number[] => {
  const pattern = patterns.get((language ?? 'en').toLowerCase().split('-', 1)[0]!)
  return pattern === undefined ? [] : [...text.matchAll(pattern)].map(({ index }) => index)
}
