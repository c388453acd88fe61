/**
 * Keeps a reply from reciting what the model was told, whoever talked it into that.
 *
 * - What counts is a run: words of the reply that stand in the same order in the Agent's prompt, or in our own guidance. A run
 *   of many words, or of fewer across the end of a sentence, is a recital; a single fact is none, and may be said as it stands.
 * - Only words of a run that is half-way to a recital are held back, until it is one or has ended. All else passes at once.
 * - What a prompt has in quotation marks is there to be said, and is not guarded.
 * - It knows words, not meanings: what is translated, spelled out or told in other words is not held back.
 */
import { piecesOf, type Word, wordOf } from './guarded-words.js'
import { promptRefusalIn } from './prompt-refusal.js'

export interface GuardedReply {
  /** The next of the reply; answers what is to be said now, which may be nothing. */
  push(text: string): string
  /** The reply is complete, or nothing comes for a while: what was held back. */
  flush(): string
  /** It was a recital, and has been broken off with a sentence of ours: nothing after that is to be said. */
  readonly isCut: boolean
}

export interface PromptGuardOptions {
  /** What each Agent is told beside its prompt. */
  readonly guidance: string
  readonly systemPrompt: string
  /** A BCP 47 tag of what the Agent speaks; null is taken for English. */
  readonly language: string | null
}

/** In words. */
interface Limits {
  readonly run: number
  readonly runAcrossSentences: number
}

const guidanceLimits: Limits = { run: 8, runAcrossSentences: 8 }
const promptLimits: Limits = { run: 20, runAcrossSentences: 12 }
/** A prompt of fewer words hides nothing. */
const shortestPrompt = 5
/** So many words of one reply, each in some run that is half-way there, are a recital in pieces. */
const mostHalfWay = 20

/** Where one word is looked for in a text: what follows one takes time for each. */
const mostPlaces = 1_000

const quoted = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»/g
const sentenceEnd = /[.!?…]["'”’)\]]*\s|[。！？]|\n\s*(\n|[-*•#\d])/

interface GuardedText {
  /** Where each of its words stands. */
  readonly places: ReadonlyMap<string, readonly number[]>
  /** Of the words before each place. */
  readonly weights: readonly number[]
  readonly sentences: readonly number[]
  readonly limits: Limits
}

/** Texts that no run goes beyond the ends of. */
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
        else if (known.length < mostPlaces) known.push(sentences.length)
        put(weight)
      } else if (sentenceEnd.test(piece.raw)) sentence++
    }
    // A place that no word has.
    put(0)
  }
  return { places, weights, sentences }
}

/** A short prompt is recited once all of it is said. Undefined for one that hides nothing. */
const guardedPrompt = (prompt: string): GuardedText | undefined => {
  const weightOf = ({ weights }: Pick<GuardedText, 'weights'>) => weights.at(-1)!
  const unquoted = guardedText(prompt.split(quoted))
  const text = weightOf(unquoted) < shortestPrompt ? guardedText([prompt]) : unquoted
  const total = weightOf(text)
  if (total < shortestPrompt) return undefined
  const limits = {
    run: Math.min(promptLimits.run, total),
    runAcrossSentences: Math.min(promptLimits.runAcrossSentences, total),
  }
  return { ...text, limits }
}

/** Follows one reply through one text. */
const createFollower = ({ places, weights, sentences, limits }: GuardedText) => {
  /** The runs that the last word belongs to: by where they have come to, where they began. */
  let runs = new Map<number, number>()
  const half = Math.min(limits.run, limits.runAcrossSentences) / 2

  return (word: string): 'apart' | 'half-way' | 'recital' => {
    const standing = runs
    runs = new Map()
    let longest = 0
    for (const place of places.get(word) ?? []) {
      const begin = standing.get(place - 1) ?? place
      runs.set(place, begin)
      const length = weights[place + 1]! - weights[begin]!
      const limit = sentences[begin] === sentences[place] ? limits.run : limits.runAcrossSentences
      if (length >= limit) return 'recital'
      longest = Math.max(longest, length)
    }
    return longest >= half ? 'half-way' : 'apart'
  }
}

/** Opens what a reply goes through. */
export type PromptGuard = () => GuardedReply

/** For one conversation. */
export const createPromptGuard = ({ guidance, systemPrompt, language }: PromptGuardOptions): PromptGuard => {
  const ours = { ...guardedText([guidance]), limits: guidanceLimits }
  const prompt = guardedPrompt(systemPrompt)
  const texts = prompt === undefined ? [ours] : [ours, prompt]
  const refusal = promptRefusalIn(language)

  return () => {
    const followers = texts.map(createFollower)
    /** The beginning of a word whose end has not come. */
    let unfinished = ''
    /** Not said yet, though it has come. */
    let held = ''
    let holds = false
    let halfWay = 0
    let said = ''
    let isCut = false

    const follow = ({ text, weight }: Word): void => {
      const found = followers.map((next) => next(text))
      holds = found.some((state) => state !== 'apart')
      if (holds) halfWay += weight
      isCut = found.includes('recital') || halfWay >= mostHalfWay
    }

    /** Of what has come, what may be said. */
    const release = (): string => {
      const text = holds ? '' : held
      if (!holds) held = ''
      said = (said + text).slice(-8)
      return text
    }

    const breakOff = (): string => {
      held = ''
      const begun = said.trimEnd()
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
          held += piece.raw.slice(known)
          known = 0
          if (piece.kind === 'unfinished') unfinished = piece.raw
          if (piece.kind === 'word') follow(piece.word)
          if (isCut) return passed + breakOff()
          passed += release()
        }
        return passed
      },
      flush() {
        if (unfinished !== '') follow(wordOf(unfinished))
        unfinished = ''
        if (isCut) return breakOff()
        holds = false
        return release()
      },
      get isCut() {
        return isCut
      },
    }
  }
}

/** Whether all of a text would be broken off somewhere. */
export const isRecital = (openReply: PromptGuard, text: string): boolean => {
  const reply = openReply()
  reply.push(text)
  reply.flush()
  return reply.isCut
}
