import type { AgentConfig } from '@parlance/contracts'
import { howFinished } from './finished-text.js'
import type { Utterance } from './utterance.js'

export type Endpointing = Pick<AgentConfig['turn_config'], 'endpointing_min_ms' | 'endpointing_max_ms'>

/** Nobody is listened to for longer without a pause: it is a television. */
const longestUtteranceMs = 120_000

/** How long the user may pause before what he said so far is taken for all of it. */
const pauseMs = (partial: string, language: string, endpointing: Endpointing): number => {
  const { endpointing_min_ms: minMs, endpointing_max_ms: maxMs } = endpointing
  const longerMs = Math.max(0, maxMs - minMs)
  switch (howFinished(partial, language)) {
    case 'finished':
      return minMs
    case 'perhaps':
      return minMs + longerMs / 4
    case 'unfinished':
      return minMs + longerMs
  }
}

/** When the utterance is over, should nothing more be heard of it. With push-to-talk the user says so himself. */
export const endsAtMs = (utterance: Utterance, language: string, endpointing: Endpointing): number => {
  const { by, beganMs, silentSinceMs, partial } = utterance
  if (by === 'push-to-talk' || silentSinceMs === undefined) return beganMs + longestUtteranceMs
  return silentSinceMs + pauseMs(partial, language, endpointing)
}
