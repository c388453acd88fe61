/** The times of a text's words, from what a server reports of them or of its characters. */
import type { WordMark } from '@parlance/engine/protocol'

/** How far ahead a word is searched. A word that the server spells differently must not skip half the text. */
const maxSkippedInWords = 80
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * Finds the words that a server reports, in order, in the text. A word that is not found, such as a number that was written out,
 * has no mark.
 */
export const createWordTimes = (text: string) => {
  const lowered = text.toLowerCase()
  // The lower case of a few scripts has another length; then the search is case-sensitive.
  const searched = lowered.length === text.length ? lowered : text
  let cursor = 0

  return (named: string, startMs: number, endMs: number): WordMark[] => {
    const bare = named.replace(edges, '')
    const wanted = searched === lowered ? bare.toLowerCase() : bare
    if (wanted === '') return []
    const at = searched.slice(cursor, cursor + maxSkippedInWords + wanted.length).indexOf(wanted)
    if (at === -1) return []
    const textStart = cursor + at
    const textEnd = textStart + wanted.length
    cursor = textEnd
    return [{ text: text.slice(textStart, textEnd), textStart, textEnd, startMs, endMs }]
  }
}

/** A word and its place in the text, in UTF-16 offsets. */
interface TextWord {
  readonly text: string
  readonly textStart: number
  readonly textEnd: number
}

const segmenters = new Map<string, Intl.Segmenter>()

const segmenterOf = (language: string): Intl.Segmenter => {
  const existing = segmenters.get(language)
  if (existing !== undefined) return existing
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** Returns the words of a text, also in languages without spaces between words. */
const wordsOfText = (text: string, language: string): TextWord[] =>
  [...segmenterOf(language).segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment, index }) => ({ text: segment, textStart: index, textEnd: index + segment.length }))

/** Parallel arrays with times in ms of the utterance. */
interface TimedCharacters {
  readonly characters: readonly string[]
  readonly startsMs: readonly number[]
  readonly endsMs: readonly number[]
}

/** How far ahead a character is searched that is not the next one in the text. */
const maxSkippedInCharacters = 16

/** Joins times of characters, given in the order of the text, to times of words. */
export const createCharacterTimes = (text: string, language: string) => {
  const words = wordsOfText(text, language)
  let index = 0
  let cursor = 0
  let exact = true
  let open: { startMs: number; endMs: number } | undefined

  const placeOf = (character: string): number => {
    if (text.startsWith(character, cursor)) return cursor
    exact = false
    const at = text.slice(cursor, cursor + maxSkippedInCharacters + character.length).indexOf(character)
    return at === -1 ? -1 : cursor + at
  }
  const close = (): WordMark[] => {
    const word = words[index]
    const times = open
    open = undefined
    index++
    return word === undefined || times === undefined ? [] : [{ ...word, ...times }]
  }

  return {
    /** Returns the words that are complete now. */
    add({ characters, startsMs, endsMs }: TimedCharacters): WordMark[] {
      const complete: WordMark[] = []
      for (const [i, character] of characters.entries()) {
        const at = character === '' ? -1 : placeOf(character)
        if (at === -1) continue
        cursor = at + character.length
        while (index < words.length && words[index]!.textEnd <= at) complete.push(...close())
        const word = words[index]
        if (word === undefined || at < word.textStart) continue
        open = { startMs: open?.startMs ?? startsMs[i]!, endMs: endsMs[i]! }
        if (cursor >= word.textEnd) complete.push(...close())
      }
      return complete
    },
    /** Returns the word in progress, if any. */
    end: close,
    /** Returns the text after the last timed character when every character before it was timed; otherwise an empty string. */
    missing: (): string => (exact && cursor > 0 ? text.slice(cursor) : ''),
  }
}
