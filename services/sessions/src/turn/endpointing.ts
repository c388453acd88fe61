import type { AgentConfig } from '@parlance/contracts'
import { completenessOf } from './completeness.js'
import { pausedSinceMs, type Utterance } from './utterance.js'

export type Endpointing = Pick<AgentConfig['turn_config'], 'endpointing_min_ms' | 'endpointing_max_ms'>

/** Voice that goes on for longer without a pause is not a user who talks, but a television, for example. */
const maxUtteranceMs = 120_000

/** How long the user may pause after this text before the utterance is over. */
const pauseMs = (partial: string, language: string, endpointing: Endpointing): number => {
  const { endpointing_min_ms: minMs, endpointing_max_ms: maxMs } = endpointing
  const longerMs = Math.max(0, maxMs - minMs)
  switch (completenessOf(partial, language)) {
    case 'complete':
      return minMs
    case 'uncertain':
      return minMs + longerMs / 4
    case 'incomplete':
      return minMs + longerMs
  }
}

/** When the utterance is over if no more voice comes. In push-to-talk the user marks the end. */
export const endsAtMs = (utterance: Utterance, language: string, endpointing: Endpointing): number => {
  const { startedBy, beganMs, partial } = utterance
  const silentSinceMs = pausedSinceMs(utterance)
  if (startedBy === 'push-to-talk' || silentSinceMs === null) return beganMs + maxUtteranceMs
  return silentSinceMs + pauseMs(partial, language, endpointing)
}
