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
  /** The last: how far the clock has come. */
  let audio: Extract<SynthesisChunk, { event: 'audio' }> | undefined
  /** Has begun and has more to come: of its audio only the clock needs to know. */
  let speaking: number | undefined
  const clockMs = () => (audio === undefined ? 0 : audio.start_ms + audio.duration_ms)

  return {
    add({ text }) {
      segments.push({ text, left: [...text].length, startMs: undefined, endMs: undefined, words: [] })
    },

    follow(chunk) {
      const { event } = chunk
      if (event === 'started' || event === 'done') return
      if (event === 'audio' && chunk.segment === speaking) {
        audio = chunk
        return
      }
      const segment = segments[chunk.segment]
      if (segment === undefined) return
      segment.startMs ??= clockMs()
      if (event === 'audio') audio = chunk
      else if (event === 'alignment') segment.words.push(...chunk.words)
      else segment.left -= chunk.characters
      if (segment.left <= 0) segment.endMs = clockMs()
      speaking = segment.left > 0 ? chunk.segment : undefined
    },

    // Nobody has heard what was never there, whatever he says.
    splitAt: (playedMs) => splitAtSpoken({ segments, playedMs: Math.min(playedMs, clockMs()) }),
  }
}
