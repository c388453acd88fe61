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
 * and unassigned code points (eSpeak uses some for itself): nothing that can be spoken.
 */
const unspeakable = /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Co}\p{Cn}]/u

export const speakableText = (original: string): SpeakableText => {
  const offsets = new Uint32Array(original.length + 4 * original.split('&').length)
  let count = 0
  let text = ''
  let offset = 0
  let previous = ''
  for (const char of original) {
    // eSpeak leaves `<` unspoken in plain text too; `[[` would begin phoneme input.
    const silent = char === '<' || (char === '[' && previous === '[') || unspeakable.test(char)
    const written = silent ? ' ' : char === '&' ? '&amp;' : char
    text += written
    // Only ASCII is ever written as more than one code point, so there its length is their number.
    const end = count + (char === '&' ? written.length : 1)
    offsets.fill(offset, count, end)
    count = end
    offset += char.length
    previous = char
  }
  return { text, offsets: offsets.subarray(0, count) }
}
