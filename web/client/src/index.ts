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
export { createParlanceClient } from './create-client.js'
export type {
  AudioDevice,
  Avatar,
  ConnectionState,
  ConnectOptions,
  InputMode,
  ParlanceClient,
  ParlanceClientOptions,
  PlayingSpeech,
  Session,
  SessionOverrides,
  Tool,
  TransportKind,
} from './parlance-client.js'
export { type ClientErrorCode, ParlanceError } from './parlance-error.js'
