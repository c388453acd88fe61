export type {
  AgentState,
  Alignment,
  Disconnection,
  Interruption,
  ParlanceEvents,
  SessionEnding,
  TimedViseme,
  TimedWord,
  ToolCall,
  TranscriptMessage,
  TurnMetrics,
} from './client-events.js'
export type { ConnectOptions, InputMode, ParlanceClientOptions, TransportKind } from './client-options.js'
export type { ConnectionState } from './connection-state.js'
export { createParlanceClient } from './create-client.js'
export type { AudioDevice, ParlanceClient, Tool } from './parlance-client.js'
export { type ClientErrorCode, ParlanceError } from './parlance-error.js'
export type { PlayingSpeech } from './playing-speech.js'
export type { Avatar, Session } from './session.js'
