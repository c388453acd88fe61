import type { AgentState, ParlanceError } from '@parlance/client'
import { problemOf } from '../api/problem.js'
import { type EndReason, endReasons } from '../conversations/conversation-words.js'

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

/** How a conversation of this person ended, where the words for others do not fit. */
const ownEnds: Readonly<Record<string, string>> = {
  user_disconnected: 'You hung up.',
  api_ended: 'You hung up.',
  drained: 'The server is being restarted. Start again.',
}

export const endOf = (reason: string): string =>
  ownEnds[reason] ?? (Object.hasOwn(endReasons, reason) ? `${endReasons[reason as EndReason]}.` : '')
