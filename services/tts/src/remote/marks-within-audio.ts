import type { SpeechMarks } from '../engine/engine.js'

interface Timed {
  readonly startMs: number
  readonly endMs: number
}

/** Marks of one kind: each begins when the one before it has ended, or later, and ends no sooner than it begins. */
const createLine = <Mark extends Timed>() => {
  const waiting: Mark[] = []
  let lastMs = 0

  return {
    add(mark: Mark) {
      const startMs = Math.max(mark.startMs, lastMs)
      const endMs = Math.max(mark.endMs, startMs)
      lastMs = endMs
      waiting.push({ ...mark, startMs, endMs })
    },
    due(audioMs: number): Mark[] {
      const later = waiting.findIndex(({ endMs }) => endMs > audioMs)
      return waiting.splice(0, later === -1 ? waiting.length : later)
    },
    rest: (audioMs: number): Mark[] =>
      waiting
        .splice(0)
        .map((mark) => ({ ...mark, startMs: Math.min(mark.startMs, audioMs), endMs: Math.min(mark.endMs, audioMs) })),
  }
}

/**
 * Holds marks back until the audio they speak of is there, because a server may tell times before it sends the sound, and
 * may tell times that lie beyond it.
 */
export const createMarksWithinAudio = () => {
  const words = createLine<SpeechMarks['words'][number]>()
  const phonemes = createLine<SpeechMarks['phonemes'][number]>()

  return {
    add(marks: Partial<SpeechMarks>) {
      for (const word of marks.words ?? []) words.add(word)
      for (const phoneme of marks.phonemes ?? []) phonemes.add(phoneme)
    },
    /** What lies within this much audio. */
    due: (audioMs: number): SpeechMarks => ({ words: words.due(audioMs), phonemes: phonemes.due(audioMs) }),
    /** All that is left, cut to the audio's length. */
    rest: (audioMs: number): SpeechMarks => ({ words: words.rest(audioMs), phonemes: phonemes.rest(audioMs) }),
  }
}
