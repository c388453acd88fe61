/**
 * A text in the letters that flite knows, which are those of ASCII. Every character can be mapped back to the original.
 */
interface AsciiText {
  readonly text: string
  /** For each character, where the original character begins and ends, in UTF-16 units. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

const spelled: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '…': '.',
  '–': ', ',
  '—': ', ',
  '―': ', ',
  '⁄': '/',
  '−': '-',
  '€': ' euros ',
  '£': ' pounds ',
  '¥': ' yen ',
  '°': ' degrees ',
  '×': ' times ',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'th',
  þ: 'th',
  ı: 'i',
}

/** Returns a space for control characters and for characters that flite cannot spell. */
const written = (char: string): string => {
  if (char >= ' ' && char <= '~') return char
  const own = spelled[char]
  if (own !== undefined) return own
  const plain = char.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('⁄', '/')
  if (plain === '' && /\p{M}/u.test(char)) return ''
  return /^[ -~]+$/.test(plain) ? plain : ' '
}

export const asciiText = (original: string): AsciiText => {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  let offset = 0
  for (const char of original) {
    const letters = written(char)
    text += letters
    for (let i = 0; i < letters.length; i++) {
      starts.push(offset)
      ends.push(offset + char.length)
    }
    offset += char.length
  }
  return { text, starts, ends }
}
