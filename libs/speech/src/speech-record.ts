import type { SynthesisChunk, TimedText } from '@parlance/contracts'
import type { Segment } from './segmenter.js'
import { type SpokenText, splitAtSpoken } from './spoken-text.js'

/** Remembers which text was spoken when, so that a cancelled or interrupted speech can be parted where it was. */
export interface SpeechRecord {
  /** A segment that is to be spoken, in the order of the speech stream; with what will never be, once it is cancelled. */
  add(segment: Segment): void
  /**
   * A chunk of the speech stream, as it goes out; its audio may be left out. Tells of words only when their alignment was
   * asked for.
   */
  follow(chunk: SynthesisChunk): void
  /** All text added, parted at what had been heard when `playedMs` of the audio had been played. */
  splitAt(playedMs: number): SpokenText
}

interface Recorded {
  readonly text: string
  /** Code points of it that are not spoken yet. */
  left: number
  /** Where the next one begins. */
  endMs: number | undefined
  readonly words: TimedText[]
}

/** `sentMs` answers how much of the audio has gone out. */
export const createSpeechRecord = (sentMs: () => number): SpeechRecord => {
  const segments: Recorded[] = []

  return {
    add({ text }) {
      segments.push({ text, left: [...text].length, endMs: undefined, words: [] })
    },

    follow(chunk) {
      if (chunk.event !== 'alignment' && chunk.event !== 'segment') return
      const segment = segments[chunk.segment]
      if (segment === undefined) return
      if (chunk.event === 'alignment') segment.words.push(...chunk.words)
      else {
        segment.left -= chunk.characters
        if (segment.left <= 0) segment.endMs = sentMs()
      }
    },

    splitAt(playedMs) {
      const timed = segments.map(({ text, endMs, words }, index) => {
        const startMs = index === 0 ? 0 : segments[index - 1]!.endMs
        return { text, startMs, endMs, words }
      })
      // Nobody has heard what was never there, whatever he says.
      return splitAtSpoken({ segments: timed, playedMs: Math.min(playedMs, sentMs()) })
    },
  }
}
