import type { SpeechClock } from '../speech-clock.js'
import { mouthWeights } from './mouth-weights.js'

/** How long a mouth takes to close when speech ends in the middle of a sound, as when it is interrupted. */
const closingMs = 90

const closed: ReadonlyMap<string, number> = new Map()

/** What a mouth shows of the speech now, or how it closes after it; `nowMs` is on any clock that goes on. */
export const createMouth = (speech: SpeechClock) => {
  let said = closed
  let saidAtMs = Number.NEGATIVE_INFINITY

  return (nowMs: number): { isSpeaking: boolean; weights: ReadonlyMap<string, number> } => {
    const positionMs = speech.positionMs()
    if (positionMs !== undefined) {
      said = mouthWeights(speech.visemes(), positionMs)
      saidAtMs = nowMs
      return { isSpeaking: true, weights: said }
    }
    const left = 1 - (nowMs - saidAtMs) / closingMs
    const weights = left > 0 ? new Map([...said].map(([id, weight]) => [id, weight * left])) : closed
    return { isSpeaking: false, weights }
  }
}
