import type { AgentConfig } from '@parlance/contracts'
import { type AgentTurn, mayInterrupt } from './agent-side.js'
import { hasWords, isVoiced, type Utterance, voicedForAtMs } from './utterance.js'

export type Interrupting = Pick<AgentConfig['turn_config'], 'interruption_min_ms' | 'false_interruption_timeout_ms'>

/**
 * When so much was heard of the utterance that it counts although it is the agent's turn. Of an agent that only thinks
 * nobody is interrupted: it does not begin to speak while the user does.
 */
const countsAtMs = (utterance: Utterance, turn: AgentTurn, { interruption_min_ms }: Interrupting): number => {
  if (!mayInterrupt(turn)) return Number.POSITIVE_INFINITY
  if (turn.phase === 'thinking') return Number.NEGATIVE_INFINITY
  return voicedForAtMs(utterance, interruption_min_ms)
}

export const counts = (utterance: Utterance, turn: AgentTurn, config: Interrupting, nowMs: number): boolean =>
  nowMs >= countsAtMs(utterance, turn, config)

/** When the agent goes on, should nothing more be heard of the utterance that holds it. */
const resumesAtMs = ({ heldBy }: AgentTurn, { false_interruption_timeout_ms }: Interrupting): number =>
  heldBy?.silentSinceMs === undefined || hasWords(heldBy)
    ? Number.POSITIVE_INFINITY
    : heldBy.silentSinceMs + false_interruption_timeout_ms

/**
 * What becomes of the agent's turn now that the user says something. A voice alone only holds it: it may have been a
 * cough, and then it goes on. Words interrupt it; but what nobody has heard is held until all of the words are known.
 */
export const judgeInterruption = (
  utterance: Utterance | undefined,
  turn: AgentTurn,
  config: Interrupting,
  nowMs: number,
): 'hold' | 'resume' | 'interrupt' | undefined => {
  const { heldBy, phase } = turn
  const counting = utterance !== undefined && counts(utterance, turn, config, nowMs) ? utterance : undefined
  const hasSaidWords = [heldBy, counting].some((one) => one !== undefined && hasWords(one))
  if (phase === 'speaking' && hasSaidWords) return 'interrupt'
  if (counting !== undefined && counting !== heldBy && (isVoiced(counting) || hasWords(counting))) return 'hold'
  return nowMs >= resumesAtMs(turn, config) ? 'resume' : undefined
}

/** When to judge again, should nothing happen until then; not finite where that is never, or was before. */
export const interruptionDuesMs = (
  utterance: Utterance | undefined,
  turn: AgentTurn,
  config: Interrupting,
): readonly number[] => {
  const resumesMs = resumesAtMs(turn, config)
  const isJudged = utterance === undefined || utterance === turn.heldBy
  return isJudged ? [resumesMs] : [resumesMs, countsAtMs(utterance, turn, config)]
}
