import type { AudioDevice, ConnectionState, Session } from './parlance-client.js'
import type { ParlanceError } from './parlance-error.js'

/** A message of the conversation. */
export interface TranscriptMessage {
  /** The id of the message in the record. A message is sent again with its id as it grows. */
  readonly id: string
  readonly role: 'user' | 'agent'
  /** The whole message so far. An empty final text withdraws the message. */
  readonly text: string
  readonly final: boolean
  /** The message was interrupted; the text is the part that was played. */
  readonly interrupted?: boolean
}

/** The current state of the Agent. */
export type AgentState = 'listening' | 'thinking' | 'speaking'

/** The user began to speak, or stopped. */
export interface UserSpeech {
  readonly started: boolean
  /** False, with `started: false`, when no words were recognized: no message follows. */
  readonly recognized?: boolean
}

/** The user has interrupted a message of the Agent. `text_heard` is the part that was played. */
export interface Interruption {
  /** The id of the message in the transcript. */
  readonly id: string
  /** @deprecated The same as `id`; it is sent until 1.0. */
  readonly transcript_id: string
  readonly text_heard: string
}

/** The Agent calls a tool of the page. `arguments` is JSON that fits the parameters of the tool. */
export interface ToolCall {
  readonly tool_call_id: string
  readonly name: string
  readonly arguments: unknown
}

/**
 * A part of a conversation, in the order in which it began. A message is in its latest form, and a withdrawn one is left out.
 * The call of a tool has its `result` as soon as the page has answered; `is_error` is then whether the tool failed. The `id` of
 * an interruption is that of the message that was interrupted.
 */
export type HistoryItem =
  | ({ readonly type: 'message' } & TranscriptMessage)
  | ({ readonly type: 'tool_call'; readonly result?: unknown; readonly is_error?: boolean } & ToolCall)
  | ({ readonly type: 'interruption' } & Interruption)

/** How loud both sides are now, from 0 to 1: the peaks of the last 20 ms. */
export interface AudioLevels {
  /** The microphone. */
  readonly input: number
  /** The Agent. */
  readonly output: number
}

/** The durations of the parts of one turn, in ms; null for parts that the turn did not have. */
export interface TurnMetrics {
  readonly endpointing_ms: number | null
  readonly stt_ms: number | null
  readonly llm_ttft_ms: number | null
  readonly tts_ttfa_ms: number | null
  readonly voice_to_voice_ms: number | null
  /** How long before the final transcript the reply was begun; null where it was not prepared. */
  readonly prepared_ms: number | null
  /** Whether a reply was prepared while the user paused, and whether it was used. */
  readonly speculation: 'hit' | 'miss' | 'none'
}

/** Times in ms from the first sample of the speech. */
export interface TimedWord {
  readonly text: string
  readonly start_ms: number
  readonly end_ms: number
}

/** A mouth shape, with times in ms from the first sample of the speech. */
export interface TimedViseme {
  /**
   * One of the fifteen visemes of the Oculus set: `sil`, `PP`, `FF`, `TH`, `DD`, `kk`, `CH`, `SS`, `nn`, `RR`, `aa`, `E`, `I`,
   * `O`, `U`.
   */
  readonly id: string
  readonly start_ms: number
  readonly end_ms: number
}

/** More word and viseme times of a speech, before its audio is played. `speechPosition(id)` is the position in the speech. */
export interface Alignment {
  /** The id of the message in the transcript. */
  readonly id: string
  /** @deprecated The same as `id`; it is sent until 1.0. */
  readonly speech_id: string
  readonly words: readonly TimedWord[]
  readonly visemes: readonly TimedViseme[]
}

/** The session will end, at the latest after `deadline_ms`. */
export interface SessionEnding {
  readonly reason: string
  /** How long the session may still last. */
  readonly deadline_ms: number
}

/** How a session ended. */
export interface Disconnection {
  /** `user_disconnected` after `disconnect()`, else the reason in the record of the session, such as `max_duration`. */
  readonly reason: string
  /** The code of the error that ended the session, or null. */
  readonly code: string | null
  /** A message for people. */
  readonly detail: string
}

/** The events of a client, with their payloads. */
export interface ParlanceEvents {
  connectionState: ConnectionState
  /** The session when it has begun, null when it has ended. */
  session: Session | null
  transcript: TranscriptMessage
  agentSpeaking: boolean
  agentState: AgentState
  /** The user began to speak, or stopped. */
  userSpeaking: boolean
  /** As `userSpeaking`, with whether words were recognized. */
  userSpeech: UserSpeech
  remoteAudioTrack: MediaStreamTrack
  /** Also the reason why `connect` rejected, unless it was aborted. An error does not end the session. */
  error: ParlanceError
  /** Emitted once for each session, however it ends. */
  disconnected: Disconnection
  /** The session will end soon. */
  ending: SessionEnding
  interruption: Interruption
  toolCall: ToolCall
  metrics: TurnMetrics
  /** True when the browser does not let the page play audio: call `resumeAudio()` from a click. */
  audioBlocked: boolean
  alignment: Alignment
  muted: boolean
  volume: number
  /** The whole history, after each change. */
  history: readonly HistoryItem[]
  /** All microphones and loudspeakers, when one is plugged in or removed, or when the user has allowed the microphone. */
  devicesChanged: readonly AudioDevice[]
  /** About 20 times a second while they change. They are measured only while there is a listener. */
  levels: AudioLevels
}
