import type {
  AgentState,
  Alignment,
  Interruption,
  SessionEnding,
  ToolCall,
  TranscriptMessage,
  TurnMetrics,
  UserSpeech,
} from './client-events.js'

/** The messages that the service sends in a session. */
export type ServerEvent =
  | { readonly event: 'session.ready'; readonly session_id: string }
  | ({ readonly event: 'transcript' } & TranscriptMessage)
  | { readonly event: 'agent.state'; readonly state: AgentState }
  | ({ readonly event: 'user.speech' } & UserSpeech)
  | ({ readonly event: 'alignment' } & Alignment)
  | ({ readonly event: 'interruption' } & Interruption)
  | ({ readonly event: 'tool.call' } & ToolCall)
  | ({ readonly event: 'metrics' } & TurnMetrics)
  | ({ readonly event: 'session.ending' } & SessionEnding)
  | { readonly event: 'session.ended'; readonly reason: string }
  | {
      readonly event: 'error'
      readonly code: string
      readonly detail: string
      readonly retryable: boolean
      readonly request_id: string
    }
  | { readonly event: 'pong' }

/**
 * Undefined for a message that is not an event. Events that this library does not know are returned too, and have no
 * effect.
 */
export const readServerEvent = (message: unknown): ServerEvent | undefined => {
  if (typeof message !== 'string') return undefined
  try {
    const event = JSON.parse(message) as ServerEvent | null
    return typeof event?.event === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

/** The messages that the page sends in a session. */
export type ClientMessage =
  | {
      readonly event:
        | 'client.ready'
        | 'ptt.start'
        | 'ptt.commit'
        | 'ptt.cancel'
        | 'interrupt'
        | 'ping'
        | 'user.activity'
    }
  | { readonly event: 'text.send' | 'agent.say'; readonly id: string; readonly text: string }
  | { readonly event: 'context.update'; readonly text: string }
  | { readonly event: 'mute'; readonly muted: boolean }
  | {
      readonly event: 'tool.result'
      readonly tool_call_id: string
      readonly result: unknown
      readonly is_error: boolean
    }
