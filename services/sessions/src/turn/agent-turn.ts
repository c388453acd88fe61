import type { Utterance } from './utterance.js'

/** The agent's turn, from the moment it thinks of what to say to the last that is heard of it. */
export interface AgentTurn {
  readonly number: number
  /**
   * When a voice may interrupt it. A reply that nobody has heard anything of may always be: the user is not interrupting then
   * but going on.
   */
  readonly interruptible: 'always' | 'unheard' | 'never'
  /** It speaks from the first that can be heard of it. */
  phase: 'thinking' | 'speaking'
  hasAudio: boolean
  /** The utterance for which it is silent until it is known whether it was one. */
  heldBy: Utterance | undefined
}

export const mayInterrupt = ({ interruptible, phase, heldBy }: AgentTurn): boolean =>
  interruptible === 'always' || heldBy !== undefined || (interruptible === 'unheard' && phase === 'thinking')
