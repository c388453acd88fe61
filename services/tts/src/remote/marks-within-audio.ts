import type { SpeechMarks } from '../engine/engine.js'

interface Timed {
  readonly startMs: number
  readonly endMs: number
}

/** Marks of one kind in order of time, without overlap. */
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
 * Delays marks until their audio was received, since a server may send times before the sound, and times beyond its end.
 */
export const createMarksWithinAudio = () => {
  const words = createLine<SpeechMarks['words'][number]>()
  const phonemes = createLine<SpeechMarks['phonemes'][number]>()

  return {
    add(marks: Partial<SpeechMarks>) {
      for (const word of marks.words ?? []) words.add(word)
      for (const phoneme of marks.phonemes ?? []) phonemes.add(phoneme)
    },
    /** Returns the marks within this much audio. */
    due: (audioMs: number): SpeechMarks => ({ words: words.due(audioMs), phonemes: phonemes.due(audioMs) }),
    /** Returns the other marks, limited to the audio's length. */
    rest: (audioMs: number): SpeechMarks => ({ words: words.rest(audioMs), phonemes: phonemes.rest(audioMs) }),
  }
}
