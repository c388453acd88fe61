/**
 * A text rewritten so that eSpeak reads it as plain text, although it looks for SSML, phoneme input and its own control codes.
 * Every position that eSpeak reports can be mapped back to the original.
 */
interface SpeakableText {
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

/**
 * Runs of dotted characters that overflow a buffer of eSpeak NG.
 *
 * eSpeak NG looks up words such as `a.b.c` as one word. Up to version 1.51 it copies them into 160 bytes on the stack without
 * a check of their length: single characters with a dot after each, and the text that follows the last dot. This module
 * measures such runs with a margin, since eSpeak removes some characters and puts spaces between others.
 */

/** Abbreviations have fewer. A link is a character and its dot, at most 5 bytes. */
const maxLinks = 8
/** The length of the text that follows a dot. Together with the links it stays well below 160 bytes. */
const maxFollowingBytes = 80
/** eSpeak may remove characters between two dots until a single one is left. */
const maxLinkCharacters = 4

const followingPart = /\s*([^\s.]*)/y

/** One dot, or several with only white space between them. */
const dots = /\.(?:[\s.]*\.)?/g

/**
 * Returns the offsets of the dots in `text` that have to be replaced by spaces, in UTF-16 units and ascending order. A space
 * ends the run.
 */
export const excessDots = (text: string): number[] => {
  const excess: number[] = []
  let links = 0
  let partStart = 0
  for (const { 0: run, index: start } of text.matchAll(dots)) {
    const end = start + run.length
    const part = text.slice(partStart, start)
    partStart = end
    // eSpeak itself removes the dot between a letter and a space.
    if (run === '.' && /[\p{L}\p{N}]$/u.test(part) && /\s/.test(text[end] ?? ' ')) {
      links = 0
      continue
    }
    const words = part.trim().split(/\s+/)
    if (words.length === 1 && isShort(words[0]!)) links += 1
    else links = isShort(words.at(-1)!) ? 1 : 0
    if (links <= maxLinks && followingBytes(text, end) <= maxFollowingBytes) continue
    for (let at = start; at < end; at++) if (text[at] === '.') excess.push(at)
    links = 0
  }
  return excess
}

const isShort = (word: string): boolean => word.length <= 2 * maxLinkCharacters && [...word].length <= maxLinkCharacters

const followingBytes = (text: string, dotEnd: number): number => {
  followingPart.lastIndex = dotEnd
  return Buffer.byteLength(followingPart.exec(text)![1]!)
}

/**
 * Letters of scripts for which there is no voice. eSpeak speaks a word of them in the language of its script, and a letter
 * that this language does not know in English. libespeak-ng 1.51 then reads the language of the word after it has freed it,
 * which sometimes crashes. So letters of scripts that eSpeak does not know completely are not spoken.
 */
const partlyKnownScripts = [
  ...['Armenian', 'Georgian', 'Hangul', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala'],
].map((script) => `\\p{Script=${script}}`)
/** Signs that the Indic scripts share. */
const indic = '\\u{900}-\\u{dff}'
const rareGreek = '\\u{37f}\\u{3cf}-\\u{3ff}'
const partlyKnown = new RegExp(`[${partlyKnownScripts.join('')}${indic}${rareGreek}]`, 'u')

const indicDigit = /(?=[\u{900}-\u{dff}])\p{Nd}/u

/** What is spoken for a character: itself, the digit that an Indic digit stands for, or a space. */
const knownLetter = (char: string): string => {
  if (!partlyKnown.test(char)) return char
  return indicDigit.test(char) ? String((char.codePointAt(0)! & 0xf) - 6) : ' '
}

const twoScripts = /^(?:\p{Script=Greek}(?=\p{L})\P{Script=Greek}|\p{Script=Latin}(?=\p{L})\P{Script=Latin})/u

/**
 * Whether a letter must start a new word after another one: eSpeak knows a word that begins in Latin or Greek in no other
 * script.
 */
export const beginsWordAfter = (previous: string, char: string): boolean => twoScripts.test(previous + char)

const nonLatinLetter = '[^\\P{L}\\p{Script=Latin}]'
/**
 * A hyphen, dot or apostrophe before a letter of another script, or an apostrophe after one. libespeak-ng 1.51 crashes at an
 * apostrophe within such a word for the reason above, at a hyphen or apostrophe without a spoken character before it, and at
 * dots between letters that it spells out, also with spaces around them.
 */
const joined = `[-.'’](?=[\\p{M}\\p{Cf}]*${nonLatinLetter})`
const joinedAfter = `(?<=${nonLatinLetter}[\\p{M}\\p{Cf}]*)['’]`
const apart = `(?<=[\\s.])\\.(?=[\\s.]*${nonLatinLetter})`
const join = new RegExp(`${joined}|${joinedAfter}|${apart}`, 'gu')

/**
 * `text` with spaces in place of characters that join letters of other scripts to their neighbors. Its length stays the
 * same.
 */
const withoutJoins = (text: string): string => text.replace(join, ' ')
