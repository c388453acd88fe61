import type { SynthesisChunk, TimedText } from '@parlance/contracts'
import { countCodePoints } from './code-points.js'
import type { Segment } from './segmenter.js'
import { countReached, type SpokenText, splitAtSpoken } from './spoken-text.js'

/**
 * Records when the text of a speech is spoken. It knows how much of a cancelled or interrupted speech was spoken,
 * and is the one meter of what was delivered: every path bills by it.
 */
export interface SpeechRecord {
  /** Adds a segment in the order of the speech stream; once the speech is cancelled, those that will not be spoken too. */
  add(segment: Pick<Segment, 'text'>): void
  /**
   * Records a chunk of the speech stream when it is sent; audio may be left out. The times of words are known only when
   * their alignment was requested.
   */
  follow(chunk: SynthesisChunk): void
  /** All text added, split where the audio was after `playedMs`. */
  splitAt(playedMs: number): SpokenText
  /** The code points of the segments whose audio was sent completely. */
  completed(): number
  /**
   * Code points of the text that the audio until `deliveredMs` reaches, up to the end of a word: 0 without audio, and all
   * of the segments that are complete by then. Without `deliveredMs`, of all audio that was sent.
   */
  delivered(deliveredMs?: number): number
}

/** Facts about the speech that are not in its chunks. */
export interface SpeechRecordOptions {
  /** How much audio was sent, in ms on the clock of the speech stream. */
  sentMs(): number
  /** The requested pace of the voice; 1 is its own. */
  readonly speed: number
}

interface Recorded {
  readonly text: string
  readonly characters: number
  /** The code points of the text that are not spoken yet. */
  left: number
  /** The offset at which the next segment begins. */
  endMs: number | undefined
  readonly words: TimedText[]
}

/** An empty record. Texts are added in the order in which they are spoken. */
export const createSpeechRecord = ({ sentMs, speed }: SpeechRecordOptions): SpeechRecord => {
  const segments: Recorded[] = []

  const timed = () =>
    segments.map(({ text, endMs, words }, index) => {
      const startMs = index === 0 ? 0 : segments[index - 1]!.endMs
      return { text, startMs, endMs, words }
    })

  return {
    add({ text }) {
      const characters = countCodePoints(text)
      segments.push({ text, characters, left: characters, endMs: undefined, words: [] })
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

    // A client may claim to have played more than was sent.
    splitAt: (playedMs) => splitAtSpoken({ segments: timed(), speed, playedMs: Math.min(playedMs, sentMs()) }),

    completed: () => segments.reduce((sum, { characters, endMs }) => (endMs === undefined ? sum : sum + characters), 0),

    delivered: (deliveredMs = sentMs()) =>
      countReached({ segments: timed(), speed, deliveredMs: Math.min(deliveredMs, sentMs()) }),
  }
}
