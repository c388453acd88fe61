import type { WordMark } from '@parlance/engine/protocol'
import { wordsOfText } from './text-words.js'

/** Parallel arrays with times in ms of the utterance. */
export interface TimedCharacters {
  readonly characters: readonly string[]
  readonly startsMs: readonly number[]
  readonly endsMs: readonly number[]
}

export interface CharacterTimes {
  /** Returns the words that are complete now. */
  add(timed: TimedCharacters): WordMark[]
  /** Returns the word in progress, if any. */
  end(): WordMark[]
  /** Returns the text after the last timed character when every character before it was timed; otherwise an empty string. */
  missing(): string
}

/** How far ahead a character is searched that is not the next one in the text. */
const maxSkipped = 16

/** Joins times of characters, given in the order of the text, to times of words. */
export const createCharacterTimes = (text: string, language: string): CharacterTimes => {
  const words = wordsOfText(text, language)
  let index = 0
  let cursor = 0
  let exact = true
  let open: { startMs: number; endMs: number } | undefined

  const placeOf = (character: string): number => {
    if (text.startsWith(character, cursor)) return cursor
    exact = false
    const at = text.slice(cursor, cursor + maxSkipped + character.length).indexOf(character)
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
    add({ characters, startsMs, endsMs }) {
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
    end: close,
    missing: () => (exact && cursor > 0 ? text.slice(cursor) : ''),
  }
}
