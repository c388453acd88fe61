import type { SpeechClock } from '../speech-clock.js'
import { mouthWeights } from './mouth-weights.js'

/** How long the mouth takes to close when speech ends in the middle of a sound, e.g. by an interruption. */
const closingMs = 90

const closed: ReadonlyMap<string, number> = new Map()

/** The weights of the mouth during the speech, and while it closes afterwards. `nowMs` is of any monotonic clock. */
export const createMouth = (speech: SpeechClock) => {
  let spoken = closed
  let spokenAtMs = Number.NEGATIVE_INFINITY

  return (nowMs: number): { isSpeaking: boolean; weights: ReadonlyMap<string, number> } => {
    const positionMs = speech.positionMs()
    if (positionMs !== undefined) {
      spoken = mouthWeights(speech.visemes(), positionMs)
      spokenAtMs = nowMs
      return { isSpeaking: true, weights: spoken }
    }
    const left = 1 - (nowMs - spokenAtMs) / closingMs
    const weights = left > 0 ? new Map([...spoken].map(([id, weight]) => [id, weight * left])) : closed
    return { isSpeaking: false, weights }
  }
}
