/** A part of a text, from a code unit to the one after its last. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** A word of the audio, with its times on the clock of the audio. */
export interface AlignedWord {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
}

interface PlacedWord extends TextRange {
  readonly startMs: number
  readonly endMs: number
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** How many letters may lie between a word and the one before: an engine may say `twenty` for `20`. */
const minReachLetters = 24

/** Finds the words of the audio, which come in order, in the text from which they were spoken. */
const createFinder = (text: string) => {
  const lower = text.toLowerCase().length === text.length ? text.toLowerCase() : text
  let from = 0
  let reach = minReachLetters
  return (word: string): TextRange | undefined => {
    const at = lower.indexOf(word.toLowerCase(), from)
    if (word === '' || at === -1 || lettersIn(lower.slice(from, at)) > reach) {
      reach += 2 * word.length
      return undefined
    }
    from = at + word.length
    reach = minReachLetters
    return { from: at, to: from }
  }
}

export interface SpokenWords {
  add(words: readonly AlignedWord[]): void
  /** The word at a position, until the next word begins. */
  at(positionMs: number): TextRange | undefined
  /** The length of the text whose words had ended then. */
  lengthAt(positionMs: number): number
}

/** The places in `text` of the words of its audio. */
export const createSpokenWords = (text: string): SpokenWords => {
  const find = createFinder(text)
  const placed: PlacedWord[] = []
  return {
    add(words) {
      for (const { text: word, start_ms: startMs, end_ms: endMs } of words) {
        const range = find(word)
        if (range !== undefined) placed.push({ ...range, startMs, endMs })
      }
    },
    at: (positionMs) => placed.findLast(({ startMs }) => startMs <= positionMs),
    lengthAt: (positionMs) => placed.findLast(({ endMs }) => endMs <= positionMs)?.to ?? 0,
  }
}
