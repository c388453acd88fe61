import type { ConnectionState } from './connection-state.js'
import type { ParlanceError } from './parlance-error.js'
import type { Session } from './session.js'

export interface TranscriptMessage {
  /** The one under which the message is kept. A message is told of again, under the same id, as it grows. */
  readonly id: string
  readonly role: 'user' | 'agent'
  /** All of it so far. Empty and final: there is no such message after all. */
  readonly text: string
  readonly final: boolean
  /** The Agent was not heard to its end; the text is what was heard. */
  readonly interrupted?: boolean
}

export type AgentState = 'listening' | 'thinking' | 'speaking'

/** The voice of the user began, or ended. */
export interface UserSpeech {
  readonly started: boolean
  /** False with `started: false` when nothing of it was understood: no message comes of it. */
  readonly recognized?: boolean
}

export interface Interruption {
  /** The id of the message in the transcript. */
  readonly id: string
  /** @deprecated The same as `id`; it is sent until 1.0. */
  readonly transcript_id: string
  readonly text_heard: string
}

export interface ToolCall {
  readonly tool_call_id: string
  readonly name: string
  readonly arguments: unknown
}

/** How long the parts of one turn took, in ms; null for what the turn did not have. */
export interface TurnMetrics {
  readonly endpointing_ms: number | null
  readonly stt_ms: number | null
  readonly llm_ttft_ms: number | null
  readonly tts_ttfa_ms: number | null
  readonly voice_to_voice_ms: number | null
}

/** Times in ms from the first sample of the speech. */
export interface TimedWord {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
}

export interface TimedViseme {
  /** One of the fifteen of the Oculus set: `sil`, `PP`, `FF`, `TH`, `DD`, `kk`, `CH`, `SS`, `nn`, `RR`, `aa`, `E`, `I`, `O`, `U`. */
  readonly id: string
  readonly start_ms: number
  readonly end_ms: number
}

/** More of when what is said; it comes before that is heard. `speechPosition(id)` tells how far the speech was heard. */
export interface Alignment {
  /** The id of the message in the transcript. */
  readonly id: string
  /** @deprecated The same as `id`; it is sent until 1.0. */
  readonly speech_id: string
  readonly words: readonly TimedWord[]
  readonly visemes: readonly TimedViseme[]
}

export interface SessionEnding {
  readonly reason: string
  /** How long it may still go on. */
  readonly deadline_ms: number
}

export interface Disconnection {
  /** `user_disconnected` after `disconnect()`, else the reason that the record of the session has, such as `max_duration`. */
  readonly reason: string
  /** That of the error that ended it, or null. */
  readonly code: string | null
  /** For people to read. */
  readonly detail: string
}

/** What `on` subscribes to, and what its listeners are given. */
export interface ParlanceEvents {
  connectionState: ConnectionState
  /** When it has begun, and null when it is over. */
  session: Session | null
  transcript: TranscriptMessage
  agentSpeaking: boolean
  agentState: AgentState
  /** The voice of the user began, or ended. */
  userSpeaking: boolean
  /** The same as the service sends it, with whether anything was understood. */
  userSpeech: UserSpeech
  remoteAudioTrack: MediaStreamTrack
  /** Also why `connect` rejected, unless it was given up. What is told here does not end the session. */
  error: ParlanceError
  /** Once for each session, whoever ends it. */
  disconnected: Disconnection
  /** The session will soon be over. */
  ending: SessionEnding
  interruption: Interruption
  toolCall: ToolCall
  metrics: TurnMetrics
  /** True when the browser does not let the page be heard: call `resumeAudio()` from a click. */
  audioBlocked: boolean
  alignment: Alignment
}
