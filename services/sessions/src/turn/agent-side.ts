import type { TurnDecision } from './turn-event.js'
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
  readonly phase: 'thinking' | 'speaking'
  /** The utterance for which it is silent until it is known whether it was one. */
  readonly heldBy: Utterance | undefined
}

export const mayInterrupt = ({ interruptible, phase }: AgentTurn): boolean =>
  interruptible === 'always' || (interruptible === 'unheard' && phase === 'thinking')

/** Whether it is the agent's turn, and whether it may be heard. */
export interface AgentSide {
  readonly turn: AgentTurn | undefined
  /** Returns the number of the turn. */
  begin(interruptible: AgentTurn['interruptible']): number
  /** There is audio of it. */
  speak(turn: number): void
  finish(turn: number): void
  interrupt(): void
  hold(utterance: Utterance): void
  /** What it was held for was nothing. */
  letGo(): void
}

export const createAgentSide = (decide: (decision: TurnDecision) => void): AgentSide => {
  let turn: { -readonly [Field in keyof AgentTurn]: AgentTurn[Field] } | undefined
  let hasAudio = false
  let turns = 0

  const speakUp = (): void => {
    if (turn !== undefined && hasAudio && turn.heldBy === undefined) turn.phase = 'speaking'
  }

  return {
    get turn() {
      return turn
    },
    begin(interruptible) {
      hasAudio = false
      turn = { number: ++turns, interruptible, phase: 'thinking', heldBy: undefined }
      return turn.number
    },
    speak(number) {
      if (turn?.number !== number) return
      hasAudio = true
      speakUp()
    },
    finish(number) {
      if (turn?.number === number) turn = undefined
    },
    interrupt() {
      if (turn !== undefined) decide({ decision: 'interrupt', turn: turn.number })
      turn = undefined
    },
    hold(utterance) {
      if (turn === undefined) return
      if (turn.heldBy === undefined) decide({ decision: 'hold', turn: turn.number })
      turn.heldBy = utterance
    },
    letGo() {
      if (turn?.heldBy === undefined) return
      turn.heldBy = undefined
      speakUp()
      decide({ decision: 'resume', turn: turn.number })
    },
  }
}
