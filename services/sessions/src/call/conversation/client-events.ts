import { type ErrorCode, errorBody, ServiceError, type SessionClientEvent } from '@parlance/contracts'
import type { ClientTools } from '../../tools/client-tools.js'
import type { TurnEvent } from '../../turn/turn-event.js'
import type { AgentTurnsOptions } from './agent-turns.js'
import type { Transcript } from './transcript.js'
import type { UserTurns } from './user-turns.js'

export interface ClientEventsOptions extends Pick<AgentTurnsOptions, 'send'> {
  readonly requestId: string
  readonly inputMode: 'push-to-talk' | 'automatic'
  readonly transcript: Pick<Transcript, 'has'>
  readonly user: Pick<UserTurns, 'mute'>
  readonly clientTools: Pick<ClientTools, 'take'>
  /** Whether the client has sent `client.ready`. */
  isReady(): boolean
  onReady(): void
  /** The context that the page reports; it replaces the one before. */
  onContext(text: string): void
  dispatch(event: TurnEvent): void
}

export interface ClientEvents {
  take(event: SessionClientEvent): void
  /** Sends an error that does not end the conversation. */
  refuse(code: ErrorCode, detail: string): void
}

/** Events that are refused until the client is ready. */
type EventOnceReady = Exclude<SessionClientEvent, { event: 'ping' | 'client.ready' | 'context.update' | 'mute' }>

/** The events of the client, as events of the call and of its turns. */
export const createClientEvents = (options: ClientEventsOptions): ClientEvents => {
  const { requestId, inputMode, transcript, user, clientTools, send, isReady, onReady, onContext, dispatch } = options

  const refuse = (code: ErrorCode, detail: string): void => send(errorBody(new ServiceError(code, detail), requestId))

  const takeText = (id: string, text: string) => {
    if (transcript.has(id)) return
    if (text.trim() === '') return refuse('invalid_request', 'text: must hold more than white space')
    dispatch({ event: 'text', id, text })
  }

  const takeOnceReady = (event: EventOnceReady) => {
    switch (event.event) {
      case 'text.send':
        return takeText(event.id, event.text)
      case 'ptt.start':
      case 'ptt.commit':
      case 'ptt.cancel':
        if (inputMode === 'push-to-talk') return dispatch({ event: event.event })
        return refuse('invalid_request', 'This conversation was not started with the input mode "push-to-talk".')
      case 'interrupt':
        return dispatch({ event: 'interrupt' })
      case 'tool.result':
        if (clientTools.take(event)) return
        return refuse('invalid_request', 'tool_call_id: no call of this id waits for a result')
    }
  }

  return {
    refuse,
    take(event) {
      switch (event.event) {
        case 'ping':
          return send({ event: 'pong' })
        case 'client.ready':
          return onReady()
        case 'context.update':
          return onContext(event.text)
        case 'mute':
          return user.mute(event.muted)
        default:
          if (isReady()) return takeOnceReady(event)
          return refuse('invalid_request', `Send "client.ready" before "${event.event}".`)
      }
    },
  }
}
