/**
 * The life of one conversation, as a pure function of the state, an event and the time.
 *
 * - The first end reason is kept. The earliest deadline applies.
 * - The client is sent `session.ending` before the end, whatever the reason.
 * - `close` and `release` are requested once each. No effect follows them.
 */
import { type EndReason, isFailure } from '@parlance/contracts'
import type { ConversationEnd } from './conversation.js'

/** Plain JSON data. `dueMs` is when a `time` event is due; null for never. */
export type CallState =
  /** The client is not ready yet. */
  | { readonly name: 'connecting'; readonly dueMs: null }
  /** It continues until `dueMs`; then the end for `max_duration` is announced. */
  | { readonly name: 'live'; readonly dueMs: number }
  /** The end is announced and comes at `dueMs`, or when the agent has finished if the conversation is `leaving`. */
  | { readonly name: 'ending'; readonly dueMs: number; readonly end: ConversationEnd; readonly leaving: boolean }
  /** What takes input is closed, and the client is still sent what ends with it. */
  | { readonly name: 'closing'; readonly dueMs: null; readonly end: ConversationEnd }
  /** `session.ended` was sent, and nothing is sent any more. */
  | { readonly name: 'ended'; readonly dueMs: null; readonly end: ConversationEnd }

export type CallEvent =
  | { readonly event: 'client.ready' }
  /** `agentBusy` is whether the agent has speech to finish. With a deadline of 0 it is not waited for. */
  | {
      readonly event: 'end'
      readonly reason: EndReason
      readonly deadlineMs: number
      readonly error: ConversationEnd['error']
      readonly agentBusy: boolean
    }
  | { readonly event: 'agent.finished' }
  /** The connection to the client is lost or was closed. */
  | { readonly event: 'transport.lost'; readonly reason: EndReason }
  /** The effect `close` is done. */
  | { readonly event: 'closed' }
  | { readonly event: 'time' }

export type CallEffect =
  | { readonly effect: 'begin' }
  | { readonly effect: 'announce'; readonly reason: EndReason; readonly deadlineMs: number }
  /** From now on input of the user is ignored, and the agent may finish. */
  | { readonly effect: 'leave' }
  /** Close what takes input and speaks, and send `session.ended`. */
  | { readonly effect: 'close'; readonly reason: EndReason }
  /** Close the transport and everything that depends on it. */
  | { readonly effect: 'release'; readonly end: ConversationEnd }

export interface CallTransition {
  readonly state: CallState
  readonly effects: readonly CallEffect[]
}

export type CallReducer = (state: CallState, event: CallEvent, nowMs: number) => CallTransition

export const initialCallState: CallState = { name: 'connecting', dueMs: null }

/** How long before the longest duration is reached the end is announced. */
const announcedMs = 10_000

const unknownError = { code: 'internal_error', detail: 'Something went wrong on our side. Try again.' }

const close = (end: ConversationEnd, before: readonly CallEffect[] = []): CallTransition => ({
  state: { name: 'closing', dueMs: null, end },
  effects: [...before, { effect: 'close', reason: end.reason }],
})

type Open = Extract<CallState, { name: 'connecting' | 'live' | 'ending' }>

/** The state and effects of an end in `deadlineMs`; of one that was announced before, the reason and the nearer deadline. */
const announce = (
  state: Open,
  { reason, error }: ConversationEnd,
  deadlineMs: number,
  nowMs: number,
): { state: Extract<CallState, { name: 'ending' }>; effects: CallEffect[] } => {
  const atMs = nowMs + deadlineMs
  if (state.name === 'ending') return { state: { ...state, dueMs: Math.min(state.dueMs, atMs) }, effects: [] }
  const end = { reason, error: isFailure(reason) ? (error ?? unknownError) : null }
  return {
    state: { name: 'ending', dueMs: atMs, end, leaving: false },
    effects: [{ effect: 'announce', reason, deadlineMs }],
  }
}

export const createCallReducer = ({ maxDurationMs }: { readonly maxDurationMs: number }): CallReducer => {
  const lastMs = Math.min(announcedMs, maxDurationMs / 2)

  const reduceOpen = (state: Open, event: CallEvent, nowMs: number): CallTransition => {
    switch (event.event) {
      case 'client.ready':
        if (state.name !== 'connecting') return { state, effects: [] }
        return { state: { name: 'live', dueMs: nowMs + maxDurationMs - lastMs }, effects: [{ effect: 'begin' }] }
      case 'end': {
        const { state: ending, effects } = announce(state, event, event.deadlineMs, nowMs)
        if (!ending.leaving) effects.push({ effect: 'leave' })
        if (event.deadlineMs <= 0 || !event.agentBusy) return close(ending.end, effects)
        return { state: { ...ending, leaving: true }, effects }
      }
      case 'agent.finished':
        return state.name === 'ending' && state.leaving ? close(state.end) : { state, effects: [] }
      case 'transport.lost': {
        const { state: ending, effects } = announce(state, { reason: event.reason, error: null }, 0, nowMs)
        return close(ending.end, effects)
      }
      case 'time':
        if (state.dueMs === null || nowMs < state.dueMs) return { state, effects: [] }
        if (state.name === 'ending') return close(state.end)
        return announce(state, { reason: 'max_duration', error: null }, lastMs, nowMs)
      case 'closed':
        return { state, effects: [] }
    }
  }

  return (state, event, nowMs) => {
    switch (state.name) {
      case 'connecting':
      case 'live':
      case 'ending':
        return reduceOpen(state, event, nowMs)
      case 'closing':
        if (event.event !== 'closed') return { state, effects: [] }
        return { state: { ...state, name: 'ended' }, effects: [{ effect: 'release', end: state.end }] }
      case 'ended':
        return { state, effects: [] }
    }
  }
}
