import type { ConnectionState, SessionEnding, TurnMetrics } from '@parlance/client'
import { endOf } from './conversation-words.js'
import type { SessionRecord } from './talk-agents.js'

/** How the user takes part. `text` never asks for the microphone. */
export type TalkMode = 'automatic' | 'push-to-talk' | 'text'

/** `ending`: the user has hung up, and the service has not confirmed it. */
export type TalkPhase = 'idle' | 'connecting' | 'live' | 'ending'

const phases: Readonly<Record<ConnectionState, TalkPhase>> = {
  idle: 'idle',
  'requesting-microphone': 'connecting',
  connecting: 'connecting',
  connected: 'live',
  reconnecting: 'live',
  disconnecting: 'ending',
  disconnected: 'idle',
}

export const phaseOf = (connection: ConnectionState): TalkPhase => phases[connection]

/** The state of a conversation in a panel, besides its transcript. */
export interface TalkState {
  /** The current activity, in words. */
  readonly doing: string
  /** Why the conversation ends or ended, and what was kept of it. */
  readonly outcome: string
  /** The conversation that was kept, when it is over. */
  readonly endedId: string | undefined
  /** The durations of the turns of this conversation, or of the last one, in their order. */
  readonly turns: readonly TurnMetrics[]
}

export const notStarted: TalkState = { doing: 'Ready.', outcome: '', endedId: undefined, turns: [] }

export type TalkEvent =
  | { readonly type: 'started'; readonly mode: TalkMode }
  | { readonly type: 'doing'; readonly doing: string }
  | { readonly type: 'measured'; readonly turn: TurnMetrics }
  | ({ readonly type: 'ending' } & SessionEnding)
  | { readonly type: 'ended'; readonly reason: string }
  | { readonly type: 'failed' }
  | {
      readonly type: 'kept'
      readonly record: Pick<SessionRecord, 'id' | 'duration_seconds' | 'transcript' | 'credit_used'>
    }

export const nextTalkState = (state: TalkState, event: TalkEvent): TalkState => {
  switch (event.type) {
    case 'started':
      return {
        ...notStarted,
        doing: event.mode === 'text' ? 'Connecting…' : 'Connecting. Allow the microphone if the browser asks.',
      }
    case 'doing':
      return { ...state, doing: event.doing }
    case 'measured':
      return { ...state, turns: [...state.turns, event.turn] }
    case 'ending': {
      const seconds = Math.round(event.deadline_ms / 1_000)
      if (seconds === 0) return state
      return { ...state, outcome: `${endOf(event.reason)} The conversation ends in ${seconds} s.` }
    }
    case 'ended':
      return { ...state, doing: 'The conversation is over.', outcome: endOf(event.reason) }
    case 'failed':
      return { ...state, doing: 'Not connected' }
    case 'kept': {
      const { id, duration_seconds, transcript, credit_used } = event.record
      const kept = `${duration_seconds.toFixed(0)} s, ${transcript.length} messages kept, ${credit_used} credit used.`
      return { ...state, outcome: `${state.outcome} ${kept}`.trim(), endedId: id }
    }
  }
}
