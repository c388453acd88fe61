import type { TurnEvent, TurnStep } from './turn-state.js'
import type { Pause } from './utterance.js'

/**
 * Shorter pauses are within words and between them. The detector was trained on turns that end with 200 ms of silence, and a soft
 * sound may follow what is dated as the end of a voice.
 */
const askAfterMs = 230

/** The current pause, for which the detector can be called. */
const pauseOf = ({ options, state: { user } }: TurnStep): Pause | undefined => {
  const { utterance } = user
  if (!options.detectsTurns || utterance === null || utterance.startedBy === 'push-to-talk') return undefined
  return utterance.sound.name === 'pause' ? utterance.sound : undefined
}

/** When to call the detector for the current pause; not finite when it is not called. */
export const detectionDueMs = (step: TurnStep): number => {
  const pause = pauseOf(step)
  return pause === undefined || pause.detection !== 'none' ? Number.POSITIVE_INFINITY : pause.sinceMs + askAfterMs
}

/** Asks the detector once about each pause. */
export const askDetector = (step: TurnStep): void => {
  const pause = pauseOf(step)
  if (pause === undefined || step.nowMs < detectionDueMs(step)) return
  const utterance = step.state.user.utterance!
  utterance.sound = { ...pause, detection: 'requested' }
  step.effects.push({ effect: 'turn.detect', utterance: utterance.number, pause: utterance.pauses })
}

/** Takes the detector's answer, unless it is about another pause than the present one. */
export const setCompleteProbability = (
  step: TurnStep,
  { utterance: number, pause: pauseNumber, completeProbability }: Extract<TurnEvent, { event: 'turn.detected' }>,
): void => {
  const { utterance } = step.state.user
  const pause = pauseOf(step)
  if (pause === undefined || utterance?.number !== number || utterance.pauses !== pauseNumber) return
  utterance.sound = { ...pause, detection: 'answered', completeProbability }
}
