import { excessDots } from './dotted-runs.js'

/**
 * Plain text, written so that eSpeak reads it as plain text although it looks for SSML, for phoneme input and for its
 * own control codes. Every position it reports leads back to the text that was given.
 */
export interface SpeakableText {
  readonly text: string
  /** For each code point of `text`, the UTF-16 offset in the original of the code point it stands for. */
  readonly offsets: Uint32Array
}

/**
 * Control characters (one of them starts eSpeak's embedded commands, NUL ends the text), lone surrogates, private-use
 * and unassigned code points (eSpeak uses some for itself): nothing that can be spoken. */
const unspeakable = /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Co}\p{Cn}]/u

/**
 * The two letters of a flag, which eSpeak speaks where they stand by themselves. Other such letters, and flags that are
 * joined, it does not speak, and in some places they end libespeak-ng 1.51.
 */
const flagPattern = '^\\p{RGI_Emoji_Flag_Sequence}'
const flag = new RegExp(flagPattern, 'v')
const flagLetter = /\p{Regional_Indicator}/u
const flagLength = 4

/**
 * A hyphen, dot or apostrophe before a letter of a script that none of the voices is for. libespeak-ng 1.51 ends the process
 * at some of them: a hyphen or apostrophe that nothing spoken stands before, and dots between letters whose names it says,
 * also with spaces around them.
 */
const foreignLetter = '[^\\P{L}\\p{Script=Latin}]'
const joined = `[-.'’](?=[\\p{M}\\p{Cf}]*${foreignLetter})`
const apart = `(?<=[\\s.])\\.(?=[\\s.]*${foreignLetter})`
const joinBeforeForeignLetter = new RegExp(`${joined}|${apart}`, 'gu')

export const speakableText = (original: string): SpeakableText => {
  const offsets = new Uint32Array(original.length + 4 * original.split('&').length)
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
    const written = silent ? ' ' : char === '&' ? '&amp;' : beginsFlag ? ` ${char}` : char
    text += written
    const end = count + (written === char ? 1 : [...written].length)
    offsets.fill(offset, count, end)
    count = end
    offset += char.length
    previous = char
  }
  const withoutExcess = withSpacesAt(text, excessDots(text))
  return { text: withoutExcess.replace(joinBeforeForeignLetter, ' '), offsets: offsets.subarray(0, count) }
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
