import type { components } from '../api/schema.js'

type Summary = components['schemas']['SessionSummary']
export type ConversationStatus = Summary['status']
export type EndReason = NonNullable<Summary['end_reason']>

interface StatusWords {
  readonly label: string
  readonly color: string
}

export const statuses: Readonly<Record<ConversationStatus, StatusWords>> = {
  connecting: { label: 'Connecting', color: 'blue' },
  active: { label: 'Live', color: 'teal' },
  ending: { label: 'Ending', color: 'blue' },
  ended: { label: 'Ended', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
}

/** Why a conversation ended, in words. */
export const endReasons: Readonly<Record<EndReason, string>> = {
  user_disconnected: 'The user hung up',
  agent_ended: 'The Agent ended it',
  api_ended: 'Ended through the API',
  silence_timeout: 'The user was silent for too long',
  max_duration: 'It reached the maximum length',
  connection_lost: 'The connection was lost',
  ice_failed: 'No connection could be made',
  insufficient_credit: 'No credit was left',
  drained: 'The server was stopped',
  llm_error: 'The language model failed',
  stt_error: 'Speech recognition failed',
  tts_error: 'Speech synthesis failed',
  internal_error: 'An internal error',
}

/** Whether a conversation has not ended. */
export const isLive = (status: ConversationStatus): boolean => status !== 'ended' && status !== 'failed'
