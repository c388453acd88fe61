import type { SpeechClock, TimedViseme } from '../speech-clock.js'

/** The duration of the transition from one mouth shape to the next. */
const transitionMs = 90
/** A shorter silence between two words does not close the mouth. */
const shortSilenceMs = 130
const restingViseme = 'sil'

/**
 * The weight of each viseme at a moment. The transition between two shapes is centered on the boundary between them: at the
 * boundary both have half their weight, so the dominant shape is always the one that sounds. The weights depend on time
 * alone, so a low frame rate does not delay the mouth.
 *
 * `sil` has no weight: it is the mouth at rest.
 */
export const mouthWeights = (visemes: readonly TimedViseme[], atMs: number): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  let total = 0
  for (let index = firstNear(visemes, atMs); index < visemes.length; index++) {
    const viseme = visemes[index]!
    if (viseme.start_ms > atMs + transitionMs) break
    const weight = presence(viseme, atMs)
    if (weight === 0) continue
    total += weight
    const id = isShortSilence(visemes, index) ? visemes[index - 1]!.id : viseme.id
    if (id !== restingViseme) weights.set(id, (weights.get(id) ?? 0) + weight * strengthOf(id))
  }
  // Shapes that are shorter than a transition overlap with more than one neighbor.
  if (total > 1) for (const [id, weight] of weights) weights.set(id, weight / total)
  return weights
}

const presence = ({ start_ms, end_ms }: TimedViseme, atMs: number): number =>
  transitionAt(atMs - start_ms) * (1 - transitionAt(atMs - end_ms))

/** From 0 to 1 over the transition at a boundary, `sinceMs` after it. */
const transitionAt = (sinceMs: number): number => {
  const t = Math.min(1, Math.max(0, sinceMs / transitionMs + 0.5))
  return t * t * (3 - 2 * t)
}

const isShortSilence = (visemes: readonly TimedViseme[], index: number): boolean => {
  const { id, start_ms, end_ms } = visemes[index]!
  return id === restingViseme && index > 0 && index + 1 < visemes.length && end_ms - start_ms < shortSilenceMs
}

/** Closed lips must close fully; fully open vowels would look like shouting. */
const strengthOf = (id: string): number => (id === 'PP' || id === 'FF' ? 1 : 0.88)

/** The index of the first viseme that may have a weight, by bisection: a long speech has thousands. */
const firstNear = (visemes: readonly TimedViseme[], atMs: number): number => {
  let [low, high] = [0, visemes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (visemes[middle]!.end_ms < atMs - transitionMs) low = middle + 1
    else high = middle
  }
  return low
}

/** How long the mouth takes to close when speech ends in the middle of a sound, e.g. by an interruption. */
const closingMs = 90

const closed: ReadonlyMap<string, number> = new Map()

/** The weights of the mouth during the speech, and while it closes afterwards. `nowMs` is of any monotonic clock. */
export const createMouth = (speech: SpeechClock) => {
  let spoken = closed
  let spokenAtMs = Number.NEGATIVE_INFINITY

  return (nowMs: number): { isSpeaking: boolean; weights: ReadonlyMap<string, number> } => {
    const playing = speech()
    if (playing !== undefined) {
      spoken = mouthWeights(playing.visemes, playing.positionMs)
      spokenAtMs = nowMs
      return { isSpeaking: true, weights: spoken }
    }
    const left = 1 - (nowMs - spokenAtMs) / closingMs
    const weights = left > 0 ? new Map([...spoken].map(([id, weight]) => [id, weight * left])) : closed
    return { isSpeaking: false, weights }
  }
}
