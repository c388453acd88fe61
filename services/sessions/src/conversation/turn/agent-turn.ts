import type { TurnState, TurnStep } from './turn-state.js'
import type { Utterance } from './utterance.js'

interface Turn {
  readonly number: number
  /**
   * When the user's voice may interrupt the turn. `before-audio` is only until its first audio: a user who speaks before
   * that does not interrupt the agent, but adds to the message.
   */
  readonly interruptible: 'always' | 'before-audio' | 'never'
}

/** The agent's turn, from the request to the model to the end of its speech. */
export type AgentTurn =
  | { readonly name: 'idle' }
  | (Turn & { readonly name: 'thinking' | 'speaking' })
  | (Turn & {
      readonly name: 'paused'
      readonly from: 'thinking' | 'speaking'
      /** `speaking` where audio is ready by now. */
      readonly resumesAs: 'thinking' | 'speaking'
      /** The number of the utterance that pauses it until it is known whether that has words. */
      readonly utterance: number
    })

export type ActiveTurn = Exclude<AgentTurn, { name: 'idle' }>

/** Whether it is thinking or speaking, or was when it was paused. */
export const phaseOf = (turn: ActiveTurn): 'thinking' | 'speaking' => (turn.name === 'paused' ? turn.from : turn.name)

export const mayInterrupt = (turn: AgentTurn): boolean => {
  if (turn.name === 'idle') return false
  return turn.interruptible === 'always' || (turn.interruptible === 'before-audio' && phaseOf(turn) === 'thinking')
}

const isCurrent = (turn: AgentTurn, number: number): turn is ActiveTurn =>
  turn.name !== 'idle' && turn.number === number

/** Returns the number of the turn. One that was prepared has it already. */
export const beginTurn = (
  { state }: TurnStep,
  interruptible: Turn['interruptible'],
  number = ++state.agentTurns,
): number => {
  state.agent = { name: 'thinking', number, interruptible }
  return number
}

/** Audio of it is ready: it speaks, or will when it is resumed. */
export const takeAudio = (state: TurnState, number: number): void => {
  const { agent } = state
  if (!isCurrent(agent, number)) return
  state.agent = agent.name === 'paused' ? { ...agent, resumesAs: 'speaking' } : { ...agent, name: 'speaking' }
}

export const finishTurn = (state: TurnState, number: number): void => {
  if (isCurrent(state.agent, number)) state.agent = { name: 'idle' }
}

export const interruptTurn = ({ state, effects }: TurnStep): void => {
  const { agent } = state
  if (agent.name === 'idle') return
  effects.push({ effect: 'interrupt', turn: agent.number })
  state.agent = { name: 'idle' }
}

/** A turn that is paused already stays so for this utterance instead. */
export const pauseTurn = ({ state, effects }: TurnStep, { number: utterance }: Utterance): void => {
  const { agent } = state
  if (agent.name === 'idle') return
  if (agent.name === 'paused') {
    state.agent = { ...agent, utterance }
    return
  }
  const { name, number, interruptible } = agent
  effects.push({ effect: 'pause', turn: number })
  state.agent = { name: 'paused', number, interruptible, from: name, resumesAs: name, utterance }
}

export const resumeTurn = ({ state, effects }: TurnStep): void => {
  const { agent } = state
  if (agent.name !== 'paused') return
  const { number, interruptible, resumesAs } = agent
  state.agent = { name: resumesAs, number, interruptible }
  effects.push({ effect: 'resume', turn: number })
}

/** The utterance turned out to be nothing. */
export const resumeFrom = (step: TurnStep, { number }: Utterance): void => {
  const { agent } = step.state
  if (agent.name === 'paused' && agent.utterance === number) resumeTurn(step)
}
