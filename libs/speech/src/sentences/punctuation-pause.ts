/** The pauses at speed 1 after a text that ends with each kind of mark, in ms: about as long as those of eSpeak NG. */
const pausesMs = { paragraph: 700, ellipsis: 450, sentence: 350, semicolon: 250, line: 250, comma: 150 }

const closingMarks = /[\p{Pe}\p{Pf}\p{Pi}"'“‘*_~`]+$/u
const ellipsis = /(?:…|\.{3}|。{3})$/u
/** Full stops, question and exclamation marks: of Latin, CJK, Arabic, Devanagari, Armenian, Ethiopic, Burmese and Khmer. */
const sentenceEnd = /[.!?‼⁇⁈⁉。｡．！？؟۔।॥։՞՜።፧။។]$/u
const semicolon = /[;:；：؛፤፥]$/u
const comma = /[,，､、،՝፣၊–—―]$/u
/** In Greek `;` asks a question, and a raised dot is the semicolon. */
const greekQuestion = /[;\u037e]$/u
const greekSemicolon = /[·\u0387]$/u

interface PauseOptions {
  /** A BCP 47 tag; null where it is not known. */
  readonly language: string | null
  /** 1 is the voice's own pace. */
  readonly speed: number
}

/**
 * Returns how long a reader pauses after `text` before the next sentence or clause, in ms, by the mark at its end and the line
 * breaks behind it; 0 where it ends with neither. Closing quotation marks and brackets after the mark are skipped.
 */
export const punctuationPauseMs = (text: string, { language, speed }: PauseOptions): number => {
  const written = text.trimEnd()
  const lines = lineBreaks(text.slice(written.length))
  const marked = written.replace(closingMarks, '')
  const isGreek = language?.toLowerCase().split('-', 1)[0] === 'el'
  const candidatesMs = [
    lines >= 2 ? pausesMs.paragraph : 0,
    lines === 1 ? pausesMs.line : 0,
    markPauseMs(marked, isGreek),
  ]
  return Math.max(...candidatesMs) / speed
}

/** Whether the mark at the end of `text`, or a blank line behind it, ends a sentence. */
export const endsSentence = (text: string, language: string | null = null): boolean =>
  punctuationPauseMs(text, { language, speed: 1 }) >= pausesMs.sentence

const markPauseMs = (text: string, isGreek: boolean): number => {
  if (ellipsis.test(text)) return pausesMs.ellipsis
  if (sentenceEnd.test(text) || (isGreek && greekQuestion.test(text))) return pausesMs.sentence
  if (semicolon.test(text) || (isGreek && greekSemicolon.test(text))) return pausesMs.semicolon
  return comma.test(text) ? pausesMs.comma : 0
}

const lineBreaks = (space: string): number => space.match(/\r\n|[\n\r\u2028\u2029]/g)?.length ?? 0
