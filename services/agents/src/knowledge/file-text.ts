/** The text of files, cut into passages. */
import type { KnowledgeFile } from '@parlance/contracts'
import { Parser } from 'htmlparser2'
import { extractText, getDocumentProxy } from 'unpdf'

export interface CutPassage {
  /** Counts from 1; null where the file has no pages. */
  readonly page: number | null
  readonly text: string
}

/** A file that cannot be used. The message is for members of the workspace. */
export class UnusableFileError extends Error {}

const maxPassageCharacters = 1_000
const maxTextCharacters = 2_000_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws `UnusableFileError` for text that is not UTF-8. */
const decode = (content: Uint8Array): string => {
  try {
    return utf8.decode(content)
  } catch {
    throw new UnusableFileError('The text is not UTF-8.')
  }
}

const ignoredElements = new Set(['head', 'script', 'style', 'noscript', 'template', 'nav', 'svg'])
const inlineElements = new Set(
  'a abbr b bdi bdo cite code data dfn em font i ins kbd label mark q s samp small span strong sub sup time u var'.split(
    ' ',
  ),
)

/** The text of a page, a paragraph for each block. */
const textOfHtml = (html: string): string => {
  let text = ''
  let ignored = 0
  const parser = new Parser({
    onopentagname(name) {
      if (ignoredElements.has(name)) ignored++
      else if (name === 'br') text += '\n'
      else if (!inlineElements.has(name)) text += '\n\n'
    },
    onclosetag(name) {
      if (ignoredElements.has(name)) ignored--
      else if (!inlineElements.has(name)) text += '\n\n'
    },
    ontext(data) {
      if (ignored === 0) text += data.replace(/\s+/g, ' ')
    },
  })
  parser.end(html)
  return text
}

/** The errors of PDF.js that are the fault of the file, by name. */
const faultsOfPdf: Readonly<Record<string, string>> = {
  InvalidPDFException: 'The PDF is damaged.',
  PasswordException: 'The PDF has a password.',
}

/** Rejects with `UnusableFileError`. */
const pagesOfPdf = async (content: Uint8Array): Promise<string[]> => {
  try {
    // PDF.js refuses a Buffer.
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(content), { verbosity: 0 }), {
      mergePages: false,
    })
    return text
  } catch (cause) {
    const fault = faultsOfPdf[(cause as Error).name]
    throw fault === undefined ? cause : new UnusableFileError(fault, { cause })
  }
}

/** Sentences where they end, and words where a sentence is too long. */
const shortParts = (paragraph: string): string[] =>
  (paragraph.match(/.+?(?:[.!?。！？]+(?:\s+|$)|$)/gs) ?? []).flatMap((sentence) =>
    sentence.length <= maxPassageCharacters
      ? [sentence]
      : (sentence.match(new RegExp(`.{1,${maxPassageCharacters}}(?:\\s|$)|.{1,${maxPassageCharacters}}`, 'gs')) ?? []),
  )

/** Passages of whole paragraphs, or of whole sentences where a paragraph is too long. */
const passagesOf = (text: string): string[] => {
  const passages: string[] = []
  let current = ''
  const add = (part: string, separator: string) => {
    if (current !== '' && current.length + separator.length + part.length > maxPassageCharacters) {
      passages.push(current)
      current = ''
    }
    current = current === '' ? part : `${current}${separator}${part}`
  }
  for (const paragraph of text.split(/\n\s*\n/)) {
    const words = paragraph.replace(/\s+/g, ' ').trim()
    if (words === '') continue
    if (words.length <= maxPassageCharacters) add(words, '\n')
    else for (const part of shortParts(words)) add(part.trim(), ' ')
  }
  return current === '' ? passages : [...passages, current]
}

/** The passages of a file. Rejects with `UnusableFileError`. */
export const readPassages = async (
  contentType: KnowledgeFile['content_type'],
  content: Uint8Array,
): Promise<CutPassage[]> => {
  const isPdf = contentType === 'application/pdf'
  const html = contentType === 'text/html'
  const pages = isPdf ? await pagesOfPdf(content) : [html ? textOfHtml(decode(content)) : decode(content)]
  if (pages.reduce((sum, page) => sum + page.length, 0) > maxTextCharacters) {
    throw new UnusableFileError('The file has more than 2,000,000 characters of text. Divide it.')
  }
  const passages = pages.flatMap((page, index) =>
    passagesOf(page.replaceAll('\0', '').toWellFormed()).map((text) => ({ page: isPdf ? index + 1 : null, text })),
  )
  if (passages.length > 0) return passages
  throw new UnusableFileError(
    isPdf ? 'The PDF has no text. Scanned pages are images: recognize their text first.' : 'The file has no text.',
  )
}
