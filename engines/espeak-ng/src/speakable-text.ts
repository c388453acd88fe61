import { excessDots } from './dotted-runs.js'
import { beginsWordAfter, knownLetter, withoutJoins } from './foreign-letters.js'

/**
 * A text rewritten so that eSpeak reads it as plain text, although it looks for SSML, phoneme input and its own control codes.
 * Every position that eSpeak reports can be mapped back to the original.
 */
export interface SpeakableText {
  readonly text: string
  /** For each code point of `text`, the UTF-16 offset in the original of the code point it stands for. */
  readonly offsets: Uint32Array
}

/**
 * Control characters (one of them starts eSpeak's embedded commands, NUL ends the text), lone surrogates, private-use and
 * unassigned code points (eSpeak uses some itself). None of them can be spoken.
 */
const unspeakable = /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Co}\p{Cn}]/u

/**
 * The two letters of a flag, which eSpeak speaks where they stand alone. It does not speak single letters of this kind or joined
 * flags, and some of them crash libespeak-ng 1.51.
 */
const flagPattern = '^\\p{RGI_Emoji_Flag_Sequence}'
const flag = new RegExp(flagPattern, 'v')
const flagLetter = /\p{Regional_Indicator}/u
const flagLength = 4

export const speakableText = (original: string): SpeakableText => {
  const offsets = new Uint32Array(2 * original.length + 4 * original.split('&').length)
  let count = 0
  let text = ''
  let offset = 0
  let previous = ''
  let flagEnd = 0
  for (const char of original) {
    const beginsFlag =
      offset >= flagEnd && flagLetter.test(char) && flag.test(original.slice(offset, offset + flagLength))
    if (beginsFlag) flagEnd = offset + flagLength
    // eSpeak leaves `<` unspoken in plain text too; `[[` would begin phoneme input.
    const isLooseFlagLetter = offset >= flagEnd && flagLetter.test(char)
    const silent = char === '<' || (char === '[' && previous === '[') || isLooseFlagLetter || unspeakable.test(char)
    const spoken = char === '&' ? '&amp;' : knownLetter(char)
    const written = silent ? ' ' : beginsFlag || beginsWordAfter(previous, char) ? ` ${spoken}` : spoken
    text += written
    const end = count + [...written].length
    offsets.fill(offset, count, end)
    count = end
    offset += char.length
    previous = char
  }
  const withoutExcess = withSpacesAt(text, excessDots(text))
  return { text: withoutJoins(withoutExcess), offsets: offsets.subarray(0, count) }
}

/** `places` are those of single code units, in ascending order. */
const withSpacesAt = (text: string, places: readonly number[]): string => {
  let result = ''
  let end = 0
  for (const place of places) {
    result += `${text.slice(end, place)} `
    end = place + 1
  }
  return result + text.slice(end)
}
