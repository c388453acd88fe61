import type { PhonemeMark } from '@parlance/engine/protocol'
import type { FliteLibrary, Pointer } from './flite-library.js'
import { ipaOf } from './ipa.js'

/** A word of the text that flite found, with its offsets there in UTF-16 units. */
interface FoundWord {
  readonly start: number
  readonly end: number
  readonly startMs: number
  endMs: number
}

/**
 * Returns the times of the words and phonemes of a spoken utterance, in ms from its first sample. A token of the text, which
 * may be spoken as several words (`2024`), lasts from its first sound to its last.
 */
export const utteranceMarks = (
  { firstItem, nextItem, parentItem, itemAs, itemText, itemNumber }: FliteLibrary,
  utterance: Pointer,
  text: string,
): { words: FoundWord[]; phonemes: PhonemeMark[] } => {
  const places = new Map<Pointer, { start: number; end: number }>()
  let searchFrom = 0
  for (let token = firstItem(utterance, 'Token'); token !== null; token = nextItem(token)) {
    const name = itemText(token, 'name')
    const start = text.indexOf(name, searchFrom)
    if (start === -1) continue
    places.set(token, { start, end: start + name.length })
    searchFrom = start + name.length
  }

  const words: FoundWord[] = []
  const phonemes: PhonemeMark[] = []
  let last: { token: Pointer; word: FoundWord | undefined } = { token: null, word: undefined }
  let startMs = 0
  for (let segment = firstItem(utterance, 'Segment'); segment !== null; segment = nextItem(segment)) {
    const endMs = itemNumber(segment, 'end') * 1000
    const inSyllable = itemAs(segment, 'SylStructure')
    const syllable = inSyllable === null ? null : parentItem(inSyllable)
    const word = syllable === null ? null : parentItem(syllable)
    if (word !== null) {
      const ipa = ipaOf(itemText(segment, 'name'), itemText(syllable, 'stress') === '1')
      if (ipa !== '') phonemes.push({ ipa, startMs, endMs })
      const token = parentItem(itemAs(word, 'Token'))
      if (token !== last.token) {
        const place = places.get(token)
        last = { token, word: place && { ...place, startMs, endMs } }
        if (last.word !== undefined) words.push(last.word)
      } else if (last.word !== undefined) last.word.endMs = endMs
    }
    startMs = endMs
  }
  return { words, phonemes }
}

/** Where the sound of an utterance begins and ends, in ms from its first sample: between its first and its last pause. */
export interface UtteranceSound {
  readonly startMs: number
  readonly endMs: number
}

export const utteranceSound = (
  { firstItem, nextItem, itemText, itemNumber }: FliteLibrary,
  utterance: Pointer,
): UtteranceSound => {
  let startMs: number | undefined
  let endMs = 0
  let segmentStartMs = 0
  for (let segment = firstItem(utterance, 'Segment'); segment !== null; segment = nextItem(segment)) {
    const segmentEndMs = itemNumber(segment, 'end') * 1000
    if (itemText(segment, 'name') !== 'pau') {
      startMs ??= segmentStartMs
      endMs = segmentEndMs
    }
    segmentStartMs = segmentEndMs
  }
  return { startMs: startMs ?? 0, endMs }
}
