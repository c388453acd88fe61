import { visemesOfPhoneme } from '@parlance/audio'
import type { Alignment, AlignmentKind, TimedViseme } from '@parlance/contracts'
import { roundToTenth } from '@parlance/speech'
import type { SpeechMarks } from './engine/engine.js'

/** Collects the marks of one segment, on the clock of its own audio. */
export const createAlignment = (wanted: readonly AlignmentKind[]) => {
  const alignment: Alignment = { words: [], phonemes: [], visemes: [] }
  const timesOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => ({
    start_ms: roundToTenth(startMs),
    end_ms: roundToTenth(endMs),
  })

  return {
    add({ words, phonemes }: SpeechMarks) {
      if (wanted.includes('word')) {
        for (const word of words) alignment.words.push({ text: word.text, ...timesOf(word) })
      }
      for (const phoneme of phonemes) {
        if (wanted.includes('phoneme')) alignment.phonemes.push({ text: phoneme.ipa, ...timesOf(phoneme) })
        if (wanted.includes('viseme')) addVisemes(alignment.visemes, phoneme.ipa, timesOf(phoneme))
      }
    },
    result: () => alignment,
  }
}

/** A diphthong moves the mouth twice, each for half of its time; a shape that continues is one longer shape. */
const addVisemes = (
  visemes: TimedViseme[],
  ipa: string,
  { start_ms, end_ms }: { start_ms: number; end_ms: number },
) => {
  const shapes = visemesOfPhoneme(ipa)
  const share = (end_ms - start_ms) / shapes.length
  for (const [index, id] of shapes.entries()) {
    const from = roundToTenth(start_ms + share * index)
    const to = index === shapes.length - 1 ? end_ms : roundToTenth(start_ms + share * (index + 1))
    const previous = visemes.at(-1)
    if (previous?.id === id && previous.end_ms === from) previous.end_ms = to
    else visemes.push({ id, start_ms: from, end_ms: to })
  }
}
