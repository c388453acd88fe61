import type { AgentState } from '@parlance/contracts'
import type { AgentTurn } from './agent-turn.js'
import type { TurnEffect } from './turn-effect.js'
import type { TurnOptions } from './turn-options.js'
import type { UserTurn } from './user-turn.js'

/** Whose turn it is. Plain JSON data; times are in ms on the clock of the events. */
export interface TurnState {
  /** `leaving` once the conversation is about to end: no more input is taken from the user. */
  phase: 'talking' | 'leaving'
  readonly user: UserTurn
  agent: AgentTurn
  /** How many turns the agent has begun. */
  agentTurns: number
  /** Since when neither side has anything to say; null while one does. */
  quietSinceMs: number | null
  /** What the client was sent last. */
  reported: { readonly speech: boolean; readonly agent: AgentState | null }
  /** When a `time` event is due if no other event comes before; null for never. */
  dueMs: number | null
}

/** Before the first event. */
export const initialTurnState: TurnState = {
  phase: 'talking',
  user: { utterance: null, recognizing: [], voiceSinceMs: null, utterances: 0 },
  agent: { name: 'idle' },
  agentTurns: 0,
  quietSinceMs: null,
  reported: { speech: false, agent: null },
  dueMs: null,
}

/** One event on its way through the reducer. `state` is a copy that the rules change, and `effects` is what they ask for. */
export interface TurnStep {
  readonly options: TurnOptions
  readonly state: TurnState
  readonly effects: TurnEffect[]
  readonly nowMs: number
  /** Whether an utterance ended without text in this step. */
  unrecognized: boolean
}
