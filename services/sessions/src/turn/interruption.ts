import type { AgentConfig } from '@parlance/contracts'
import { type AgentTurn, mayInterrupt } from './agent-turn.js'
import { hasWords, type Utterance, voicedForAtMs } from './utterance.js'

export type Interrupting = Pick<AgentConfig['turn_config'], 'interruption_min_ms' | 'false_interruption_timeout_ms'>

/** Whether so much was heard of the utterance that it counts although it is the agent's turn. */
export const counts = (utterance: Utterance, turn: AgentTurn, config: Interrupting, nowMs: number): boolean =>
  mayInterrupt(turn) && nowMs >= voicedForAtMs(utterance, config.interruption_min_ms)

/**
 * What becomes of the agent's turn now that the user says something. A voice alone only holds it: it may have been a
 * cough. Words interrupt it; and if there are none in time, it goes on.
 */
export const judgeInterruption = (
  utterance: Utterance | undefined,
  turn: AgentTurn,
  config: Interrupting,
  nowMs: number,
): 'hold' | 'resume' | 'interrupt' | undefined => {
  const { heldBy } = turn
  if (heldBy !== undefined && hasWords(heldBy)) return 'interrupt'
  if (utterance !== undefined && counts(utterance, turn, config, nowMs)) {
    if (hasWords(utterance)) return 'interrupt'
    if (utterance.voiceSinceMs !== undefined) return heldBy === utterance ? undefined : 'hold'
  }
  if (heldBy?.silentSinceMs === undefined) return undefined
  return nowMs >= heldBy.silentSinceMs + config.false_interruption_timeout_ms ? 'resume' : undefined
}

/** When to judge again, should nothing happen until then. */
export const interruptionDueMs = (
  utterance: Utterance | undefined,
  turn: AgentTurn,
  config: Interrupting,
): number | undefined => {
  const { heldBy } = turn
  const dues: number[] = []
  if (utterance !== undefined && heldBy !== utterance && mayInterrupt(turn)) {
    dues.push(voicedForAtMs(utterance, config.interruption_min_ms))
  }
  if (heldBy?.silentSinceMs !== undefined) dues.push(heldBy.silentSinceMs + config.false_interruption_timeout_ms)
  const ahead = dues.filter(Number.isFinite)
  return ahead.length === 0 ? undefined : Math.min(...ahead)
}
