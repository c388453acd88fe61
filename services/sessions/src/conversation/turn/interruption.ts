import type { AgentConfig } from '@parlance/contracts'
import { type ActiveTurn, mayInterrupt, phaseOf } from './agent-turn.js'
import { findUtterance, type UserTurn } from './user-turn.js'
import { hasWords, isVoiced, pausedSinceMs, type Utterance, voicedForAtMs } from './utterance.js'

export type Interrupting = Pick<AgentConfig['turn_config'], 'interruption_min_ms' | 'false_interruption_timeout_ms'>

/**
 * When the utterance has enough voice to count during the agent's turn. While the agent is thinking any voice counts: the
 * agent does not begin to speak while the user does.
 */
const countsAtMs = (utterance: Utterance, turn: ActiveTurn, { interruption_min_ms }: Interrupting): number => {
  if (!mayInterrupt(turn)) return Number.POSITIVE_INFINITY
  if (phaseOf(turn) === 'thinking') return Number.NEGATIVE_INFINITY
  return voicedForAtMs(utterance, interruption_min_ms)
}

export const counts = (utterance: Utterance, turn: ActiveTurn, config: Interrupting, nowMs: number): boolean =>
  nowMs >= countsAtMs(utterance, turn, config)

/** The utterance that pauses the turn. */
const pausing = (user: UserTurn, turn: ActiveTurn): Utterance | undefined =>
  turn.name === 'paused' ? findUtterance(user, turn.utterance) : undefined

/** When the agent resumes if the utterance that paused it does not continue. */
const resumesAtMs = (utterance: Utterance | undefined, { false_interruption_timeout_ms }: Interrupting): number => {
  if (utterance === undefined || hasWords(utterance)) return Number.POSITIVE_INFINITY
  const sinceMs = pausedSinceMs(utterance)
  return sinceMs === null ? Number.POSITIVE_INFINITY : sinceMs + false_interruption_timeout_ms
}

/**
 * The effect of the user's voice on the agent's turn. Voice without words only pauses it: it may be a cough, and then the agent
 * resumes. Words interrupt an agent that was speaking. One that was thinking stays paused until the utterance is recognized.
 */
export const judgeInterruption = (
  user: UserTurn,
  turn: ActiveTurn,
  config: Interrupting,
  nowMs: number,
): 'pause' | 'resume' | 'interrupt' | undefined => {
  const { utterance } = user
  const pausedBy = pausing(user, turn)
  const counting = utterance !== null && counts(utterance, turn, config, nowMs) ? utterance : undefined
  const areWords = [pausedBy, counting].some((one) => one !== undefined && hasWords(one))
  if (phaseOf(turn) === 'speaking' && areWords) return 'interrupt'
  if (counting !== undefined && counting !== pausedBy && (isVoiced(counting) || hasWords(counting))) return 'pause'
  return nowMs >= resumesAtMs(pausedBy, config) ? 'resume' : undefined
}

/** When to judge again if no event comes before; not finite where that is never, or is in the past. */
export const interruptionDuesMs = (user: UserTurn, turn: ActiveTurn, config: Interrupting): readonly number[] => {
  const { utterance } = user
  const pausedBy = pausing(user, turn)
  const resumesMs = resumesAtMs(pausedBy, config)
  const isJudged = utterance === null || utterance === pausedBy
  return isJudged ? [resumesMs] : [resumesMs, countsAtMs(utterance, turn, config)]
}
