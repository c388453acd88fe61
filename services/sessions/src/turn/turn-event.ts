import type { AgentState } from '@parlance/contracts'

/** What happens in a conversation, as far as it matters to whose turn it is. */
export type TurnEvent =
  /** The microphone begins to hear a voice, or no longer does. `agoMs` is how long ago that was. */
  | { readonly event: 'voice'; readonly on: boolean; readonly agoMs: number }
  /** What is understood so far of an utterance. */
  | { readonly event: 'partial'; readonly utterance: number; readonly text: string }
  /** What was understood of an utterance that is over: nothing, if the text is empty. */
  | { readonly event: 'final'; readonly utterance: number; readonly text: string }
  | { readonly event: 'ptt.start' }
  | { readonly event: 'ptt.commit' }
  | { readonly event: 'ptt.cancel' }
  /** The user has typed something. */
  | { readonly event: 'text'; readonly id: string; readonly text: string }
  | { readonly event: 'interrupt' }
  /** The agent is to speak first. */
  | { readonly event: 'greet' }
  /** The first audio of the agent's turn is there. */
  | { readonly event: 'speaking'; readonly turn: number }
  /** The agent was heard to the end, or its turn came to nothing. */
  | { readonly event: 'over'; readonly turn: number }
  /** The conversation is about to end: the user is listened to no more, and the agent may finish. */
  | { readonly event: 'leave' }
  /** Only time has passed. */
  | { readonly event: 'time' }

/** What the user said, by voice or by keyboard. */
export type Said =
  | { readonly utterance: number; readonly text: string }
  | { readonly id: string; readonly text: string }

/** What is to be done about it, in this order. */
export type TurnDecision =
  /** Begin to recognise an utterance, from a moment ago on. */
  | { readonly decision: 'listen'; readonly utterance: number }
  /** It is over: finish recognition. `endpointingMs` is how long the user has been silent; null where he said himself that he is done. */
  | { readonly decision: 'understand'; readonly utterance: number; readonly endpointingMs: number | null }
  /** It was nothing: cancel recognition. */
  | { readonly decision: 'forget'; readonly utterance: number }
  | { readonly decision: 'greet'; readonly turn: number }
  /** The user's turn is committed: keep what he said, and think of a reply. */
  | { readonly decision: 'reply'; readonly turn: number; readonly said: Said }
  /** The agent falls silent, and may go on where it was. */
  | { readonly decision: 'hold'; readonly turn: number }
  | { readonly decision: 'resume'; readonly turn: number }
  /** The agent falls silent for good. */
  | { readonly decision: 'interrupt'; readonly turn: number }
  /** For the peer to know. `recognized` is false when the speech is over and nothing of it was understood. */
  | { readonly decision: 'user.speech'; readonly started: boolean; readonly recognized?: false }
  | { readonly decision: 'agent.state'; readonly state: AgentState }
  /** Nobody has said anything for as long as is allowed. Once. */
  | { readonly decision: 'silence' }
