/**
 * When the user's voice interrupts the agent.
 *
 * - Any voice pauses an agent that speaks, as soon as it is noticed. Words interrupt it, once the voice has lasted for
 *   `interruption_min_ms`.
 * - No interruption are back-channels ("mhm", "right") and words of a voice that is much softer than the user's. The agent goes on
 *   as soon as it is known that there is nothing else, and after a while where the recognizer cannot tell.
 * - An agent that is thinking stays paused until the utterance is recognized.
 */
import { type ActiveTurn, mayInterrupt, phaseOf } from './agent-turn.js'
import { isBackChannel } from './back-channels.js'
import type { TurnOptions } from './turn-state.js'
import { findUtterance, type UserTurn } from './user-turn.js'
import { hasWords, isVoiced, pausedSinceMs, type Utterance, voicedForAtMs } from './utterance.js'

export type InterruptionOptions = Pick<TurnOptions, 'language' | 'turnConfig'>

/** A voice that is so much softer than the user's is of a person farther away, or of a television. */
const distantDb = 8
/** So much of a word is no voice for the detector: the first and the last sound of "stop", for example. */
const voicelessMs = 60
/** How long a pause of a voice that is too short to interrupt may be before the agent goes on. */
const shortVoicePauseMs = 200
/** The agent goes on after so much voice in which the recognizer has found no words that interrupt. */
const maxWordlessMs = 1200

/** Whether a text of the user, spoken at this level during the agent's turn, is no interruption. */
export const isNoInterruption = (
  text: string,
  levelDb: number | null,
  { levelDb: usualDb }: Pick<UserTurn, 'levelDb'>,
  language: string,
): 'back-channel' | 'distant' | undefined => {
  if (isBackChannel(text, language)) return 'back-channel'
  return levelDb !== null && usualDb !== null && levelDb < usualDb - distantDb ? 'distant' : undefined
}

const minVoicedMs = ({ turnConfig }: InterruptionOptions): number => turnConfig.interruption_min_ms - voicelessMs

/** Whether it has words that interrupt. */
const confirms = (utterance: Utterance, user: UserTurn, { language }: InterruptionOptions): boolean =>
  hasWords(utterance) && isNoInterruption(utterance.partial, utterance.levelDb, user, language) === undefined

/**
 * Whether the utterance has enough voice to count during the agent's turn. While the agent is thinking any voice counts: the
 * agent does not begin to speak while the user does.
 */
export const counts = (
  utterance: Utterance,
  turn: ActiveTurn,
  options: InterruptionOptions,
  nowMs: number,
): boolean => {
  if (!mayInterrupt(turn)) return false
  return phaseOf(turn) === 'thinking' || nowMs >= voicedForAtMs(utterance, minVoicedMs(options))
}

/** The utterance that pauses the turn. */
const pausing = (user: UserTurn, turn: ActiveTurn): Utterance | undefined =>
  turn.name === 'paused' ? findUtterance(user, turn.utterance) : undefined

/** When the agent resumes if the utterance that paused it does not continue, and no words come. */
const resumesAtMs = (
  utterance: Utterance | undefined,
  user: UserTurn,
  turn: ActiveTurn,
  options: InterruptionOptions,
): number => {
  const { false_interruption_timeout_ms } = options.turnConfig
  if (utterance === undefined) return Number.POSITIVE_INFINITY
  const { sound, voicedMs } = utterance
  const sinceMs = pausedSinceMs(utterance)
  if (phaseOf(turn) === 'thinking')
    return sinceMs === null || hasWords(utterance) ? Number.POSITIVE_INFINITY : sinceMs + false_interruption_timeout_ms
  if (sinceMs !== null && voicedMs < minVoicedMs(options)) return sinceMs + shortVoicePauseMs
  if (confirms(utterance, user, options)) return Number.POSITIVE_INFINITY
  const isKnown = sound.name !== 'none' && sound.preview === 'answered'
  if (sound.name === 'voice' && (isKnown || hasWords(utterance))) return sound.sinceMs + maxWordlessMs
  if (sinceMs === null) return Number.POSITIVE_INFINITY
  return isKnown ? sinceMs : sinceMs + false_interruption_timeout_ms
}

/** The effect of the user's voice on the agent's turn. */
export const judgeInterruption = (
  user: UserTurn,
  turn: ActiveTurn,
  options: InterruptionOptions,
  nowMs: number,
): 'pause' | 'resume' | 'interrupt' | undefined => {
  const { utterance } = user
  const pausedBy = pausing(user, turn)
  const isThinking = phaseOf(turn) === 'thinking'
  const interrupts = (one: Utterance | null | undefined): boolean =>
    one != null && counts(one, turn, options, nowMs) && confirms(one, user, options)
  if (!isThinking && (interrupts(pausedBy) || interrupts(utterance))) return 'interrupt'
  if (utterance !== null && utterance !== pausedBy && mayInterrupt(turn)) {
    const hasBegun = isThinking ? isVoiced(utterance) || hasWords(utterance) : isVoiced(utterance)
    if (hasBegun && !utterance.isPassedOver) return 'pause'
  }
  return nowMs >= resumesAtMs(pausedBy, user, turn, options) ? 'resume' : undefined
}

/** When to judge again if no event comes before; not finite where that is never, or is in the past. */
export const interruptionDuesMs = (
  user: UserTurn,
  turn: ActiveTurn,
  options: InterruptionOptions,
): readonly number[] => {
  const isConfirmed = user.utterance !== null && mayInterrupt(turn) && confirms(user.utterance, user, options)
  return [
    resumesAtMs(pausing(user, turn), user, turn, options),
    isConfirmed ? voicedForAtMs(user.utterance!, minVoicedMs(options)) : Number.POSITIVE_INFINITY,
  ]
}
