import type { SynthesisChunk, TimedText } from '@parlance/contracts'
import type { Segment } from './segmenter.js'
import { type SpokenText, splitAtSpoken } from './spoken-text.js'

/** Remembers which text was spoken when, so that a cancelled or interrupted speech can be parted where it was. */
export interface SpeechRecord {
  /** A segment that is to be spoken, in the order of the speech stream; with what will never be, once it is cancelled. */
  add(segment: Segment): void
  /** A chunk of the speech stream, as it goes out. Tells of words only when their alignment was asked for. */
  follow(chunk: SynthesisChunk): void
  /** All text added, parted at what had been heard when `playedMs` of the audio had been played. */
  splitAt(playedMs: number): SpokenText
}

interface Recorded {
  readonly text: string
  /** Code points of it that are not spoken yet. */
  left: number
  startMs: number | undefined
  endMs: number | undefined
  readonly words: TimedText[]
}

export const createSpeechRecord = (): SpeechRecord => {
  const segments: Recorded[] = []
  /** A field, since it changes with each frame: as a variable it would be new memory each time. */
  const clock = { ms: 0 }
  /** Has begun and has more to come: of its audio only the clock needs to know. */
  let speaking: number | undefined

  return {
    add({ text }) {
      segments.push({ text, left: [...text].length, startMs: undefined, endMs: undefined, words: [] })
    },

    follow(chunk) {
      const { event } = chunk
      if (event === 'started' || event === 'done') return
      if (event === 'audio' && chunk.segment === speaking) {
        clock.ms = chunk.start_ms + chunk.duration_ms
        return
      }
      const segment = segments[chunk.segment]
      if (segment === undefined) return
      segment.startMs ??= clock.ms
      if (event === 'audio') clock.ms = chunk.start_ms + chunk.duration_ms
      else if (event === 'alignment') segment.words.push(...chunk.words)
      else segment.left -= chunk.characters
      if (segment.left <= 0) segment.endMs = clock.ms
      speaking = segment.left > 0 ? chunk.segment : undefined
    },

    // Nobody has heard what was never there, whatever he says.
    splitAt: (playedMs) => splitAtSpoken({ segments, playedMs: Math.min(playedMs, clock.ms) }),
  }
}
