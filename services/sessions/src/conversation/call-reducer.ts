/**
 * The life of one conversation, as a pure function of the state, an event and the time.
 *
 * - The first end reason is kept. The earliest deadline applies.
 * - The client is sent `session.ending` before the end, whatever the reason.
 * - `close` is requested once. No effect follows it.
 */
import { type EndReason, isFailure } from '@parlance/contracts'
import type { ConversationEnd } from './conversation.js'
import type { Transition } from './reducer-runner.js'

/** Plain JSON data. `dueMs` is when a `time` event is due; null for never. */
export type CallState =
  /** The client is not ready yet. */
  | { readonly name: 'connecting'; readonly dueMs: null }
  /** It continues until `dueMs`; then the end for `max_duration` is announced. */
  | { readonly name: 'live'; readonly dueMs: number }
  /** The end is announced and comes at `dueMs`, or when the agent has finished if the conversation is `leaving`. */
  | { readonly name: 'ending'; readonly dueMs: number; readonly end: ConversationEnd; readonly leaving: boolean }
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
  | { readonly event: 'time' }

export type CallEffect =
  | { readonly effect: 'begin' }
  | { readonly effect: 'announce'; readonly reason: EndReason; readonly deadlineMs: number }
  /** From now on input of the user is ignored, and the agent may finish. */
  | { readonly effect: 'leave' }
  /** Close what takes input and speaks, send `session.ended`, and close the transport. */
  | { readonly effect: 'close'; readonly end: ConversationEnd }

type CallTransition = Transition<CallState, CallEffect>

export const initialCallState: CallState = { name: 'connecting', dueMs: null }

/** How long before the longest duration is reached the end is announced. */
const announcedMs = 10_000

const unknownError = { code: 'internal_error', detail: 'Something went wrong on our side. Try again.' }

const close = (end: ConversationEnd, before: readonly CallEffect[] = []): CallTransition => ({
  state: { name: 'ended', dueMs: null, end },
  effects: [...before, { effect: 'close', end }],
})

type Open = Exclude<CallState, { name: 'ended' }>

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

export const createCallReducer = ({ maxDurationMs }: { readonly maxDurationMs: number }) => {
  const lastMs = Math.min(announcedMs, maxDurationMs / 2)

  return (state: CallState, event: CallEvent, nowMs: number): CallTransition => {
    if (state.name === 'ended') return { state, effects: [] }
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
    }
  }
}
