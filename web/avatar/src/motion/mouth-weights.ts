import type { TimedViseme } from '../speech-clock.js'

/** How long a mouth takes from one shape into the next. */
const passageMs = 90
/** Silence between two words closes no mouth. */
const shortSilenceMs = 130
const restingViseme = 'sil'

/**
 * How much of each viseme a mouth shows at a moment. Shapes run into each other over a passage round the border between
 * them, half of it on either side: exactly at the border both are half there, so the shape that shows most is always the
 * one that sounds. It is a function of time alone: however few frames are drawn, none is late.
 *
 * `sil` has no weight of its own, being the mouth at rest.
 */
export const mouthWeights = (visemes: readonly TimedViseme[], atMs: number): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  let total = 0
  for (let index = firstNear(visemes, atMs); index < visemes.length; index++) {
    const viseme = visemes[index]!
    if (viseme.start_ms > atMs + passageMs) break
    const weight = presence(viseme, atMs)
    if (weight === 0) continue
    total += weight
    const id = isShortSilence(visemes, index) ? visemes[index - 1]!.id : viseme.id
    if (id !== restingViseme) weights.set(id, (weights.get(id) ?? 0) + weight * strengthOf(id))
  }
  // Where shapes are shorter than a passage, three or more are there at once.
  if (total > 1) for (const [id, weight] of weights) weights.set(id, weight / total)
  return weights
}

const presence = ({ start_ms, end_ms }: TimedViseme, atMs: number): number =>
  passed(atMs - start_ms) * (1 - passed(atMs - end_ms))

/** From 0 to 1 over the passage round a border, so many ms after it. */
const passed = (sinceMs: number): number => {
  const t = Math.min(1, Math.max(0, sinceMs / passageMs + 0.5))
  return t * t * (3 - 2 * t)
}

const isShortSilence = (visemes: readonly TimedViseme[], index: number): boolean => {
  const { id, start_ms, end_ms } = visemes[index]!
  return id === restingViseme && index > 0 && index + 1 < visemes.length && end_ms - start_ms < shortSilenceMs
}

/** Lips that close must close; vowels fully open would look like shouting. */
const strengthOf = (id: string): number => (id === 'PP' || id === 'FF' ? 1 : 0.88)

/** The first that may still be seen, by bisection: a long speech has thousands. */
const firstNear = (visemes: readonly TimedViseme[], atMs: number): number => {
  let [low, high] = [0, visemes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (visemes[middle]!.end_ms < atMs - passageMs) low = middle + 1
    else high = middle
  }
  return low
}
