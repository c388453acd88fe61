import type { AgentState, ParlanceError } from '@parlance/client'
import { problemOf } from '../api/problem.js'

export const agentDoings: Readonly<Record<AgentState, string>> = {
  listening: 'Listening',
  thinking: 'Thinking',
  speaking: 'Speaking',
}

/** By the code of an error: what the person can do. */
const advice: Readonly<Record<string, string>> = {
  insufficient_credit: 'This workspace has no credit left. The operator of this installation can grant more.',
  capability_disabled: 'This workspace may not use Agents.',
  microphone_denied:
    'The microphone is blocked. Allow it in the browser’s settings for this page and press Start again, or choose “Type only”.',
  microphone_not_found: 'No microphone was found. Connect one and press Start again, or choose “Type only”.',
  microphone_unavailable:
    'The microphone cannot be used now. Close other programs that use it and press Start again, or choose “Type only”.',
}

const insecure = 'Browsers give the microphone only to pages on https or localhost. Choose “Type only” here.'

/** Why a conversation did not begin, or what went wrong in it. */
export const adviceFor = (error: ParlanceError): string => {
  const isMinting = error.code === 'token_unavailable'
  const { code, detail } = isMinting ? problemOf(error.cause) : { code: error.code, detail: error.message }
  if (code === 'microphone_unavailable' && !window.isSecureContext) return insecure
  return advice[code] ?? detail
}

/** By the reason for the end of a conversation. */
const ends: Readonly<Record<string, string>> = {
  user_disconnected: 'You hung up.',
  api_ended: 'You hung up.',
  agent_ended: 'The Agent hung up.',
  silence_timeout: 'There was silence for too long.',
  max_duration: 'The conversation reached its maximum length.',
  connection_lost: 'The connection was lost.',
  ice_failed: 'No connection for audio could be made. A firewall may block it.',
  insufficient_credit: 'The workspace has no credit left.',
  drained: 'The server is being restarted. Start again.',
  llm_error: 'The language model failed.',
  stt_error: 'Speech recognition failed.',
  tts_error: 'Speech synthesis failed.',
  internal_error: 'Something went wrong on the server.',
}

export const endOf = (reason: string): string => ends[reason] ?? ''
