/**
 * An event of a conversation that matters to whose turn it is. Plain JSON data, so that events can be recorded and replayed.
 * Events of an utterance or a turn that is over change nothing.
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
