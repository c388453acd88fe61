import type { SynthesisChunk, TimedText } from '@parlance/contracts'
import { countCodePoints } from './code-points.js'
import { cutText, type SegmentBatch } from './segment-queue.js'
import { countReached, type SpokenText, splitAtSpoken } from './spoken-text.js'

interface RecordedSegment {
  readonly text: string
  readonly characters: number
  /** The offset at which the next segment begins; undefined until the segment was sent. */
  endMs: number | undefined
  readonly words: TimedText[]
}

interface UnsettledBatch {
  readonly characters: number
  readonly settle: (characters: number) => void
}

/**
 * Records when the text of a speech is spoken. It knows how much of a cancelled or interrupted speech was spoken, and is the
 * one meter of what was delivered: every path bills by it.
 */
export class SpeechRecord {
  readonly #speed: number
  readonly #segments: RecordedSegment[] = []
  /** In the order of their audio. */
  readonly #unsettled: UnsettledBatch[] = []
  #settledCharacters = 0
  #completedCharacters = 0
  #sentMs = 0

  /** `speed` is the requested pace of the voice; 1 is its own. */
  constructor(speed: number) {
    this.#speed = speed
  }

  /** The text of a segment, by its index among those of the speech. */
  textOf(segment: number): string {
    return this.#segments[segment]?.text ?? ''
  }

  /** How much audio was sent, in ms on the clock of the speech stream. */
  get sentMs(): number {
    return this.#sentMs
  }

  /** The code points of the segments whose audio was sent completely. */
  get completedCharacters(): number {
    return this.#completedCharacters
  }

  /**
   * Adds a batch in the order of the speech stream, and once the speech is cancelled the text that will not be spoken.
   * `settle` is called once, with the code points of the batch that are charged.
   */
  add(
    { text, cuts = [] }: Pick<SegmentBatch, 'text'> & Partial<Pick<SegmentBatch, 'cuts'>>,
    settle?: (characters: number) => void,
  ): void {
    let characters = 0
    for (const segment of cutText(text, cuts)) {
      const ofSegment = countCodePoints(segment)
      characters += ofSegment
      this.#segments.push({ text: segment, characters: ofSegment, endMs: undefined, words: [] })
    }
    if (settle !== undefined) this.#unsettled.push({ characters, settle })
  }

  /**
   * Records a chunk of the speech stream when it is sent. The times of words are known only when their alignment was
   * requested.
   */
  follow(chunk: SynthesisChunk): void {
    switch (chunk.event) {
      case 'audio':
        this.#sentMs = chunk.start_ms + chunk.duration_ms
        return
      case 'alignment':
        this.#segments[chunk.segment]!.words.push(...chunk.words)
        return
      case 'segment': {
        const segment = this.#segments[chunk.segment]!
        segment.endMs = this.#sentMs
        this.#completedCharacters += segment.characters
      }
    }
  }

  /** All text added, split where the audio was after `playedMs`. A client may claim to have played more than was sent. */
  splitAt(playedMs: number): SpokenText {
    return splitAtSpoken({
      segments: this.#timedSegments(),
      speed: this.#speed,
      playedMs: Math.min(playedMs, this.#sentMs),
    })
  }

  /** When the word began in which the audio is after `playedMs`; undefined between words, and where the times of words are not known. */
  startOfWordAt(playedMs: number): number | undefined {
    for (const { words } of this.#segments) {
      const word = words.find(({ start_ms, end_ms }) => start_ms < playedMs && playedMs < end_ms)
      if (word !== undefined) return word.start_ms
    }
    return undefined
  }

  /**
   * Code points of the text that the audio until `deliveredMs` reaches, up to the end of a word: 0 without audio, and all
   * of the segments that are complete by then. Without `deliveredMs`, of all audio that was sent.
   */
  deliveredCharacters(deliveredMs = this.#sentMs): number {
    return countReached({
      segments: this.#timedSegments(),
      speed: this.#speed,
      deliveredMs: Math.min(deliveredMs, this.#sentMs),
    })
  }

  /**
   * Settles the batches of which all text is among the `characters` that were delivered of the whole speech; when the speech
   * is over, every batch, for what was delivered of it.
   */
  settle(characters: number, { isOver }: { readonly isOver: boolean }): void {
    for (let next = this.#unsettled[0]; next !== undefined; next = this.#unsettled[0]) {
      const delivered = Math.min(Math.max(0, characters - this.#settledCharacters), next.characters)
      if (!isOver && delivered < next.characters) return
      this.#unsettled.shift()
      this.#settledCharacters += next.characters
      next.settle(delivered)
    }
  }

  #timedSegments() {
    return this.#segments.map(({ text, endMs, words }, index) => {
      const startMs = index === 0 ? 0 : this.#segments[index - 1]!.endMs
      return { text, startMs, endMs, words }
    })
  }
}
