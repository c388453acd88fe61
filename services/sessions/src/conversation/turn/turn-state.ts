import type { AgentState } from '@parlance/contracts'
import type { AgentTurn } from './agent-turn.js'
import type { Preparation } from './preparation.js'
import type { TurnEffect } from './turn-effect.js'
import type { TurnOptions } from './turn-options.js'
import type { UserTurn } from './user-turn.js'

/** Whose turn it is. Plain JSON data; times are in ms on the clock of the events. */
export interface TurnState {
  /** `leaving` once the conversation is about to end: input of the user is ignored. */
  phase: 'talking' | 'leaving'
  readonly user: UserTurn
  agent: AgentTurn
  /** How many turns the agent has begun or prepared. */
  agentTurns: number
  /** The reply that is prepared and not committed. */
  prepared: Preparation | null
  /** The time since which neither side speaks or has pending speech; null while one does. */
  quietSinceMs: number | null
  /** The last state that was sent to the client. */
  reported: { readonly speech: boolean; readonly agent: AgentState | null }
  /** When a `time` event is due if no other event comes before; null for never. */
  dueMs: number | null
}

/** Before the first event. */
export const initialTurnState: TurnState = {
  phase: 'talking',
  user: { utterance: null, recognizing: [], voiceSinceMs: null, utterances: 0, levelDb: null, setAside: null },
  agent: { name: 'idle' },
  agentTurns: 0,
  prepared: null,
  quietSinceMs: null,
  reported: { speech: false, agent: null },
  dueMs: null,
}

/** The processing of one event. `state` is a copy that the rules change; `effects` are the resulting effects. */
export interface TurnStep {
  readonly options: TurnOptions
  readonly state: TurnState
  readonly effects: TurnEffect[]
  readonly nowMs: number
  /** Whether an utterance ended without text in this step. */
  unrecognized: boolean
}
