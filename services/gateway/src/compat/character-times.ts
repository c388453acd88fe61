import type { TimedText } from '@parlance/contracts'
import { cutText } from '@parlance/speech'
import type { Speech } from '../synthesis/speech.js'

/** A character of a text and when it is spoken, in ms. */
export interface TimedCharacter {
  readonly character: string
  readonly startMs: number
  readonly endMs: number
}

/** Spreads a text evenly over a time. */
const spread = (text: string, startMs: number, endMs: number): TimedCharacter[] => {
  const characters = [...text]
  const eachMs = (endMs - startMs) / characters.length
  return characters.map((character, index) => ({
    character,
    startMs: startMs + index * eachMs,
    endMs: startMs + (index + 1) * eachMs,
  }))
}

/**
 * When each character of a text is spoken, from the times of its words. The characters of a word share its time evenly; those between
 * two words, and words that are spoken differently from how they are written, share the time between their neighbors.
 */
export const characterTimes = (text: string, words: readonly TimedText[], startMs: number): TimedCharacter[] => {
  const times: TimedCharacter[] = []
  let at = 0
  let endMs = startMs
  for (const word of words) {
    const found = text.indexOf(word.text, at)
    if (found < 0 || word.text === '') continue
    times.push(...spread(text.slice(at, found), endMs, Math.max(endMs, word.start_ms)))
    times.push(...spread(word.text, word.start_ms, word.end_ms))
    at = found + word.text.length
    endMs = word.end_ms
  }
  const lastMs = Math.max(endMs, words.at(-1)?.end_ms ?? endMs)
  return [...times, ...spread(text.slice(at), endMs, lastMs)]
}

/** Takes the characters that begin before a time from the front of `times`. */
export const takeBefore = (times: TimedCharacter[], untilMs: number): TimedCharacter[] => {
  const later = times.findIndex(({ startMs }) => startMs >= untilMs)
  return times.splice(0, later < 0 ? times.length : later)
}

/** Words with the punctuation that is next to them in their text. One that is spoken differently from how it is written stays as it is. */
export const punctuatedWords = (text: string, words: readonly TimedText[]): TimedText[] => {
  let at = 0
  return words.map((word) => {
    const found = text.indexOf(word.text, at)
    if (found < 0) return word
    const before = /[^\s\p{L}\p{N}]*$/u.exec(text.slice(at, found))![0]
    const after = /^[^\s\p{L}\p{N}]*/u.exec(text.slice(found + word.text.length))![0]
    at = found + word.text.length + after.length
    return { ...word, text: before + word.text + after }
  })
}

/** The texts of the segments of a speech. */
export const segmentsOf = ({ request }: Speech): string[] => [...cutText(request.text, request.cuts)]
