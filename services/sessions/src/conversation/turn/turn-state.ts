/** What the turn reducer works on: plain JSON data, so that a conversation can be recorded and replayed. */
import type { AgentConfig, AgentState } from '@parlance/contracts'
import type { AgentTurn } from './agent-turn.js'
import type { EndpointDecider } from './endpointing.js'
import type { Preparation } from './preparation.js'
import type { UserTurn } from './user-turn.js'

/** How the user's turns are taken, which a client may change in a conversation. */
export interface UserTurnOptions {
  readonly inputMode: 'push-to-talk' | 'automatic'
  /** Whether the agent replies to what was said. If not, it is stored, and the client asks for the reply. Default: true. */
  readonly answersVoice?: boolean | undefined
  /** Whether a voice interrupts the agent. If not, what was said meanwhile is stored and not answered. Default: true. */
  readonly voiceInterrupts?: boolean | undefined
}

export interface TurnOptions extends UserTurnOptions {
  /** The language that the user speaks, a BCP 47 tag. */
  readonly language: string
  readonly turnConfig: AgentConfig['turn_config']
  readonly firstMessageInterruptible: boolean
  readonly silenceTimeoutMs: number
  /** Whether a detector can be asked if a turn sounds complete. */
  readonly detectsTurns: boolean
  /** Whether the recognizer reports the ends of turns, which then decides instead of words and detector. */
  readonly recognizerEndsTurns?: boolean | undefined
}

export const turnOptionsOf = (
  config: AgentConfig,
  found: Pick<TurnOptions, 'inputMode' | 'detectsTurns' | 'recognizerEndsTurns'>,
): TurnOptions => ({
  ...found,
  language: config.stt_config.language,
  turnConfig: config.turn_config,
  firstMessageInterruptible: config.first_message_interruptible,
  silenceTimeoutMs: config.session_config.silence_timeout_seconds * 1000,
})

/**
 * An event of a conversation that matters to whose turn it is. Events of an utterance or a turn that is over change nothing.
 */
export type TurnEvent =
  /** Voice begins or ends in the user's audio, noticed `agoMs` after it did. */
  | { readonly event: 'voice'; readonly on: boolean; readonly agoMs: number }
  /** The text recognized so far of an utterance. `levelDb` is the mean level of its voice, in dB of full scale. */
  | {
      readonly event: 'partial'
      readonly utterance: number
      readonly text: string
      readonly levelDb?: number | undefined
    }
  /** The whole text of an utterance, after recognition was finished; empty where nothing was recognized. */
  | {
      readonly event: 'final'
      readonly utterance: number
      readonly text: string
      readonly levelDb?: number | undefined
    }
  /**
   * The answer to `turn.detect`: how likely the user has finished, from 0 to 1; null when it does not come in time. One for a pause
   * that is over changes nothing.
   */
  | {
      readonly event: 'turn.detected'
      readonly utterance: number
      readonly pause: number
      readonly completeProbability: number | null
    }
  /** The recognizer reports that the user has finished the utterance. */
  | { readonly event: 'turn.ended'; readonly utterance: number }
  /** The answer to `recognition.preview`: the text of the utterance so far; null where the recognizer cannot tell. */
  | {
      readonly event: 'previewed'
      readonly utterance: number
      readonly pause: number | null
      readonly text: string | null
      readonly levelDb?: number | undefined
    }
  | { readonly event: 'ptt.start' }
  | { readonly event: 'ptt.commit' }
  | { readonly event: 'ptt.cancel' }
  /** The user typed a message. */
  | { readonly event: 'text'; readonly id: string; readonly text: string }
  /** The client requests that the agent speaks this text. */
  | { readonly event: 'say'; readonly id: string; readonly text: string }
  /** The user is there, without words. */
  | { readonly event: 'activity' }
  /** The client requests an interruption of the agent. */
  | { readonly event: 'interrupt' }
  /** The agent is to speak first. */
  | { readonly event: 'greet' }
  /** The agent is to go on with the conversation, without new words of the user. */
  | { readonly event: 'continue' }
  /** The first audio of the agent's turn is ready to play. */
  | { readonly event: 'agent.audio'; readonly turn: number }
  /** The agent's turn was played to its end, or ended without speech. */
  | { readonly event: 'agent.finished'; readonly turn: number }
  /** The conversation is about to end: input of the user is ignored, and the agent may finish. */
  | { readonly event: 'leave' }
  /** Time has passed. */
  | { readonly event: 'time' }

/** The user's input, by voice or by keyboard. */
export type UserInput =
  | { readonly utterance: number; readonly text: string }
  | { readonly id: string; readonly text: string }

/** The actions of the conversation after an event, in this order. */
export type TurnEffect =
  /** Begin to recognize an utterance. */
  | { readonly effect: 'recognition.begin'; readonly utterance: number }
  /**
   * The utterance is over: finish its recognition. `endpointingMs` is how long the user had been silent; null for
   * push-to-talk, where the user marks the end.
   */
  | {
      readonly effect: 'recognition.finish'
      readonly utterance: number
      readonly endpointingMs: number | null
      readonly decidedBy: EndpointDecider
    }
  /** The utterance was noise, or is not wanted: cancel its recognition, and withdraw its text. */
  | { readonly effect: 'recognition.cancel'; readonly utterance: number }
  /**
   * The user pauses: ask the turn detector whether the utterance so far sounds complete. `turn.detected` with the same
   * numbers is its answer.
   */
  | { readonly effect: 'turn.detect'; readonly utterance: number; readonly pause: number }
  /**
   * Ask the recognizer for the text so far, in a pause of the user, or without the number of one while there is voice.
   * `previewed` with the same numbers is its answer.
   */
  | { readonly effect: 'recognition.preview'; readonly utterance: number; readonly pause: number | null }
  | { readonly effect: 'greet'; readonly turn: number }
  /** Speak this text. */
  | { readonly effect: 'say'; readonly turn: number; readonly id: string; readonly text: string }
  /** Begin a reply to the messages so far. */
  | { readonly effect: 'continue'; readonly turn: number }
  /** The user's turn is complete: store the input and begin a reply. `missed` where one was prepared and cannot be used. */
  | { readonly effect: 'reply'; readonly turn: number; readonly input: UserInput; readonly missed: boolean }
  /** The user's turn is complete, and is not answered: store the input. */
  | { readonly effect: 'store'; readonly input: UserInput }
  /** The user may have finished with this text: make a reply ready. Nothing of it is sent, stored or played yet. */
  | { readonly effect: 'reply.prepare'; readonly turn: number; readonly text: string }
  /** Drop the reply that was prepared. */
  | { readonly effect: 'reply.discard'; readonly turn: number }
  /** The user's turn is complete, and the reply that was prepared answers it: store the input and go on with that reply. */
  | { readonly effect: 'reply.commit'; readonly turn: number; readonly input: UserInput }
  /** Pause the agent's speech, which may be resumed. */
  | { readonly effect: 'pause'; readonly turn: number }
  | { readonly effect: 'resume'; readonly turn: number }
  /** Stop the agent's turn for good. */
  | { readonly effect: 'interrupt'; readonly turn: number }
  /** To send to the client. `recognized` is false where the user's speech is over and no text was recognized. */
  | { readonly effect: 'user.speech'; readonly started: boolean; readonly recognized?: false }
  | { readonly effect: 'agent.state'; readonly state: AgentState }
  /** Neither side has spoken for `silenceTimeoutMs`. Once. */
  | { readonly effect: 'silence.timeout' }

/** Whose turn it is. Times are in ms on the clock of the events. */
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
