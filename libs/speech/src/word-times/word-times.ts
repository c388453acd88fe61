/**
 * Estimates from the audio of a text when its words are spoken.
 *
 * Words share the sound by their weights. A word ends at each pause of the audio: each pause is matched with a place
 * between two words, so that the words between two pauses are about as long as the sound between them. Times
 * ascend, do not overlap, and are within the audio.
 */
import type { WordMark } from '@parlance/engine/protocol'
import { type AudioPauses, findPauses, type TimeSpan } from './audio-pauses.js'
import type { SpokenWord } from './spoken-word.js'

/** A pause, and how many words come before it. */
interface Anchor {
  readonly pause: TimeSpan
  readonly words: number
}

const lengthMs = ({ startMs, endMs }: TimeSpan) => endMs - startMs

/** The cost of matching a pause to a place without punctuation, in ms of difference. */
const noMarkCostMs = 150
/** The same for a place within a word. It grows with the pause, since a wrong match costs before and after it. */
const withinWordCostMs = (pause: TimeSpan) => 20 + 2 * lengthMs(pause)
/** Matching compares every two pauses at every two places, so of a very long text only the longest pauses are used. */
const maxPlaces = 2000
const maxPauses = 24

const longestPauses = (pauses: readonly TimeSpan[], words: number): TimeSpan[] => {
  const count = Math.max(1, Math.min(maxPauses, words - 1, Math.floor(maxPlaces / words)))
  return [...pauses]
    .sort((a, b) => lengthMs(b) - lengthMs(a))
    .slice(0, count)
    .sort((a, b) => a.startMs - b.startMs)
}

interface Match {
  readonly costMs: number
  readonly pause: number
  readonly words: number
  readonly before: Match | undefined
}

/** The cheapest assignment of pauses to places: a shortest path from the first word to the last. */
const matchPauses = (words: readonly SpokenWord[], { sound, pauses: all }: AudioPauses): Anchor[] => {
  if (words.length < 2 || all.length === 0) return []
  const pauses = longestPauses(all, words.length)
  const pausedMs = pauses.reduce((sum, pause) => sum + lengthMs(pause), 0)
  const soundMs = lengthMs(sound) - pausedMs
  const weight = words.reduce((sum, word) => sum + word.weight, 0)

  /** The amount of sound before each pause, and before each place between words; both lists end with the total. */
  const soundedMs: number[] = []
  for (let index = 0, quietMs = 0; index < pauses.length; index++) {
    soundedMs.push(pauses[index]!.startMs - sound.startMs - quietMs)
    quietMs += lengthMs(pauses[index]!)
  }
  soundedMs.push(soundMs)
  const expectedMs: number[] = [0]
  for (const word of words) expectedMs.push(expectedMs.at(-1)! + (word.weight * soundMs) / weight)

  const from = (match: Match, pause: number, place: number): Match => {
    const actual = soundedMs[pause]! - (match.pause === -1 ? 0 : soundedMs[match.pause]!)
    const expected = expectedMs[place]! - expectedMs[match.words]!
    const skipped = pauses.slice(match.pause + 1, pause).reduce((sum, one) => sum + withinWordCostMs(one), 0)
    const isEnd = pause === pauses.length
    const costMs = Math.abs(actual - expected) + skipped + (isEnd || words[place - 1]!.pauseAfter ? 0 : noMarkCostMs)
    return { costMs: match.costMs + costMs, pause, words: place, before: match }
  }
  const cheapest = (matches: readonly Match[], pause: number, place: number): Match | undefined => {
    let best: Match | undefined
    for (const match of matches) {
      if (match.words >= place) continue
      const candidate = from(match, pause, place)
      if (best === undefined || candidate.costMs < best.costMs) best = candidate
    }
    return best
  }

  const matches: Match[] = [{ costMs: 0, pause: -1, words: 0, before: undefined }]
  for (let pause = 0; pause < pauses.length; pause++) {
    const found: Match[] = []
    for (let place = 1; place < words.length; place++) {
      const match = cheapest(matches, pause, place)
      if (match !== undefined) found.push(match)
    }
    matches.push(...found)
  }
  const anchors: Anchor[] = []
  for (let match = cheapest(matches, pauses.length, words.length)?.before; match !== undefined; match = match.before) {
    if (match.pause !== -1) anchors.unshift({ pause: pauses[match.pause]!, words: match.words })
  }
  return anchors
}

/** Distributes words over a span of time by their weights. */
const spread = (words: readonly SpokenWord[], { startMs, endMs }: TimeSpan): WordMark[] => {
  const weight = words.reduce((sum, word) => sum + word.weight, 0)
  const at = (before: number) => Math.round(startMs + ((endMs - startMs) * before) / weight)
  let before = 0
  return words.map(({ text, textStart, textEnd, weight }) => {
    const from = at(before)
    before += weight
    return { text, textStart, textEnd, startMs: from, endMs: at(before) }
  })
}

/** One mark for each word, in whole ms from the first sample. */
export const estimateWordTimes = (words: readonly SpokenWord[], pcm: Int16Array, sampleRateHz: number): WordMark[] => {
  const audio = findPauses(pcm, sampleRateHz)
  const anchors = matchPauses(words, audio)
  const audioMs = Math.floor((pcm.length * 1000) / sampleRateHz)
  return [...anchors, undefined].flatMap((anchor, index) => {
    const previous = anchors[index - 1]
    const span = {
      startMs: previous?.pause.endMs ?? audio.sound.startMs,
      endMs: Math.min(anchor?.pause.startMs ?? audio.sound.endMs, audioMs),
    }
    return spread(words.slice(previous?.words ?? 0, anchor?.words), span)
  })
}
