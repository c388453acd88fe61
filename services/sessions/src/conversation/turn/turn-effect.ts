import type { AgentState } from '@parlance/contracts'
import type { EndpointDecider } from './endpointing.js'

/** The user's input, by voice or by keyboard. */
export type UserInput =
  | { readonly utterance: number; readonly text: string }
  | { readonly id: string; readonly text: string }

/** The actions of the conversation after an event, in this order. Plain JSON data. */
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
