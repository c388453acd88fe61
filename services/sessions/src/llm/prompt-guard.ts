/**
 * Stops replies that recite the Agent's prompt.
 *
 * - A run is a sequence of words of the reply that is also in the prompt, or in the guidance. A run of many words, or of fewer
 *   across the end of a sentence, is a recital. A single fact is shorter, and may be spoken as it is written.
 * - Words of a run that is half-way to a recital wait until it becomes a recital or ends. Other words pass at once.
 * - Text in quotation marks in the prompt is meant to be spoken, and is not guarded.
 * - Words are compared, not meanings: translations, spellings and paraphrases pass.
 */
import { piecesOf, type Word, wordOf } from './guarded-words.js'
import { promptRefusalIn } from './prompt-refusal.js'

export interface GuardedReply {
  /** Takes the next text of the reply. Returns what is to be spoken now, which may be empty. */
  push(text: string): string
  /** Called at the end of the reply, and when it pauses. Returns the words that waited. */
  flush(): string
  /** The reply was a recital and ended with a refusal. Nothing after that is to be spoken. */
  readonly isCut: boolean
}

export interface PromptGuardOptions {
  /** The instructions that every Agent gets. */
  readonly guidance: string
  /** The Agent's own prompt. */
  readonly systemPrompt: string
  /** The BCP 47 tag of the Agent's language; null is English. */
  readonly language: string | null
}

/** In words. */
interface Limits {
  readonly run: number
  readonly runAcrossSentences: number
}

const guidanceLimits: Limits = { run: 8, runAcrossSentences: 8 }
const promptLimits: Limits = { run: 20, runAcrossSentences: 12 }
/** A shorter prompt is not guarded. */
const minPromptWords = 5
/** More words of one reply in runs that are half-way to a recital are a recital in pieces. */
const maxHalfWayWords = 20

/** The places of one word that are compared; each takes time. */
const maxPlaces = 1_000

const quoted = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»/g
const sentenceEnd = /[.!?…]["'”’)\]]*\s|[。！？]|\n\s*(\n|[-*•#\d])/

interface GuardedText {
  /** The places of each word, counted in words. */
  readonly places: ReadonlyMap<string, readonly number[]>
  /** The sum of the weights of the words before each place. */
  readonly weights: readonly number[]
  /** The number of the sentence of each place. */
  readonly sentences: readonly number[]
  readonly limits: Limits
}

/** Indexes texts. No run crosses from one part to the next. */
const guardedText = (parts: readonly string[]): Omit<GuardedText, 'limits'> => {
  const places = new Map<string, number[]>()
  const weights = [0]
  const sentences: number[] = []
  let sentence = 0
  const put = (weight: number) => {
    sentences.push(sentence)
    weights.push(weights.at(-1)! + weight)
  }
  for (const part of parts) {
    for (const piece of piecesOf(`${part}\n`)) {
      if (piece.kind === 'word') {
        const { text: word, weight } = piece.word
        const known = places.get(word)
        if (known === undefined) places.set(word, [sentences.length])
        else if (known.length < maxPlaces) known.push(sentences.length)
        put(weight)
      } else if (sentenceEnd.test(piece.raw)) sentence++
    }
    // A place without a word ends every run.
    put(0)
  }
  return { places, weights, sentences }
}

/** A short prompt is recited when all of it is spoken. Undefined for a prompt that is too short to guard. */
const guardedPrompt = (prompt: string): GuardedText | undefined => {
  const weightOf = ({ weights }: Pick<GuardedText, 'weights'>) => weights.at(-1)!
  const unquoted = guardedText(prompt.split(quoted))
  const text = weightOf(unquoted) < minPromptWords ? guardedText([prompt]) : unquoted
  const total = weightOf(text)
  if (total < minPromptWords) return undefined
  const limits = {
    run: Math.min(promptLimits.run, total),
    runAcrossSentences: Math.min(promptLimits.runAcrossSentences, total),
  }
  return { ...text, limits }
}

/** Finds the runs of one reply in one text. */
const createRunFinder = ({ places, weights, sentences, limits }: GuardedText) => {
  /** The runs that end at the last word: the first place of each, by its last place. */
  let runs = new Map<number, number>()
  const half = Math.min(limits.run, limits.runAcrossSentences) / 2

  return (word: string): 'apart' | 'half-way' | 'recital' => {
    const previous = runs
    runs = new Map()
    let longest = 0
    for (const place of places.get(word) ?? []) {
      const begin = previous.get(place - 1) ?? place
      runs.set(place, begin)
      const length = weights[place + 1]! - weights[begin]!
      const limit = sentences[begin] === sentences[place] ? limits.run : limits.runAcrossSentences
      if (length >= limit) return 'recital'
      longest = Math.max(longest, length)
    }
    return longest >= half ? 'half-way' : 'apart'
  }
}

/** Begins to guard one reply. */
export type PromptGuard = () => GuardedReply

/** Creates the guard of one conversation. */
export const createPromptGuard = ({ guidance, systemPrompt, language }: PromptGuardOptions): PromptGuard => {
  const guardedGuidance = { ...guardedText([guidance]), limits: guidanceLimits }
  const prompt = guardedPrompt(systemPrompt)
  const texts = prompt === undefined ? [guardedGuidance] : [guardedGuidance, prompt]
  const refusal = promptRefusalIn(language)

  return () => {
    const finders = texts.map(createRunFinder)
    /** The beginning of a word that is not complete. */
    let unfinished = ''
    /** Received text that has not been returned. */
    let pending = ''
    /** Whether the last word is in a run that is half-way to a recital. */
    let isHalfWay = false
    let halfWayWords = 0
    /** The last characters that were returned. */
    let returned = ''
    let isCut = false

    const follow = ({ text, weight }: Word): void => {
      const found = finders.map((next) => next(text))
      isHalfWay = found.some((state) => state !== 'apart')
      if (isHalfWay) halfWayWords += weight
      isCut = found.includes('recital') || halfWayWords >= maxHalfWayWords
    }

    /** The pending text, unless it must wait. */
    const release = (): string => {
      if (isHalfWay) return ''
      const text = pending
      pending = ''
      returned = (returned + text).slice(-8)
      return text
    }

    const refuse = (): string => {
      pending = ''
      const begun = returned.trimEnd()
      if (begun === '') return refusal
      return `${/[.!?…]$/.test(begun) ? '' : '…'} ${refusal}`
    }

    return {
      push(text) {
        let passed = ''
        let known = unfinished.length
        const all = unfinished + text
        unfinished = ''
        for (const piece of piecesOf(all)) {
          pending += piece.raw.slice(known)
          known = 0
          if (piece.kind === 'unfinished') unfinished = piece.raw
          if (piece.kind === 'word') follow(piece.word)
          if (isCut) return passed + refuse()
          passed += release()
        }
        return passed
      },
      flush() {
        if (unfinished !== '') follow(wordOf(unfinished))
        unfinished = ''
        if (isCut) return refuse()
        isHalfWay = false
        return release()
      },
      get isCut() {
        return isCut
      },
    }
  }
}

/** Whether the text as a reply would be cut. */
export const isRecital = (openReply: PromptGuard, text: string): boolean => {
  const reply = openReply()
  reply.push(text)
  reply.flush()
  return reply.isCut
}
