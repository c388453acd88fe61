import { untrustedText } from '../tool-runner.js'

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  deg: '°',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  times: '×',
  shy: '',
}

const decodeEntity = (entity: string, name: string): string => {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? entity
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/**
 * The text of a piece of HTML in one line of at most `maxCharacters`, without scripts, styles and comments. Unknown entities
 * stay as they are.
 */
export const plainText = (html: string, maxCharacters: number): string => {
  const text = html
    // Longer texts are cut first, so that the patterns take a limited time.
    .slice(0, 20_000)
    .replace(/<!--.*?(-->|$)/gs, ' ')
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<\/?(?:b|i|em|strong|mark|span|u|a)\b[^<>]*>/gi, '')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, decodeEntity)
  return untrustedText(text.replace(/\s+/g, ' '), maxCharacters)
}
