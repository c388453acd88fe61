import type { WordMark } from '@parlance/engine/protocol'
import { wordsOfText } from './text-words.js'

/** Parallel arrays, as servers send them; times in ms of the utterance. */
export interface TimedCharacters {
  readonly characters: readonly string[]
  readonly startsMs: readonly number[]
  readonly endsMs: readonly number[]
}

export interface CharacterTimes {
  /** The words that are known in full now. */
  add(timed: TimedCharacters): WordMark[]
  /** The word that was still open, if any. */
  end(): WordMark[]
  /** What of the text was never timed, where everything before it was, character by character; empty if not known. */
  missing(): string
}

/** A character that is not next in the text is looked for this far ahead. */
const maxSkipped = 16

/** Puts times of characters, given in the order of the text, together to times of words. */
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
