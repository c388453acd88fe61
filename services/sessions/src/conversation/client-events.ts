import { type ErrorCode, errorBody, ServiceError, type SessionClientEvent } from '@parlance/contracts'
import type { Transport } from '../media/transport.js'
import type { ClientTools } from '../tools/client-tools.js'
import type { AgentTurnsOptions } from './agent/agent-turns.js'
import type { Transcript } from './transcript.js'
import type { TurnEvent } from './turn/turn-state.js'
import type { UserTurns } from './user/user-turns.js'

interface ClientEventsOptions extends Pick<AgentTurnsOptions, 'send'> {
  readonly requestId: string
  inputMode(): 'push-to-talk' | 'automatic'
  readonly transport: Pick<Transport, 'kind'>
  readonly transcript: Pick<Transcript, 'has'>
  readonly user: Pick<UserTurns, 'mute'>
  readonly clientTools: Pick<ClientTools, 'take'>
  /** Whether the client has sent `client.ready`. */
  isReady(): boolean
  onReady(): void
  /** Called with the context that the page sends, which replaces the earlier one. */
  onContext(text: string): void
  dispatch(event: TurnEvent): void
}

/** The events that are refused until the client is ready. */
type EventOnceReady = Exclude<SessionClientEvent, { event: 'ping' | 'client.ready' | 'context.update' | 'mute' }>

/** Turns the events of the client into events of the call and of its turns. */
export const createClientEvents = (options: ClientEventsOptions) => {
  const { requestId, inputMode, transport, transcript, user, clientTools, send } = options
  const { isReady, onReady, onContext, dispatch } = options

  /** Sends an error that does not end the conversation. */
  const refuse = (code: ErrorCode, detail: string): void => send(errorBody(new ServiceError(code, detail), requestId))

  // Over WebRTC audio is sent all the time, so it does not show that the user is talking.
  let awaitsStart = inputMode() === 'push-to-talk' && transport.kind === 'websocket'

  const takeText = (event: 'text' | 'say', id: string, text: string) => {
    if (transcript.has(id)) return
    if (text.trim() === '') return refuse('invalid_request', 'text: must not be blank')
    dispatch({ event, id, text })
  }

  const takeOnceReady = (event: EventOnceReady) => {
    switch (event.event) {
      case 'text.send':
        return takeText('text', event.id, event.text)
      case 'agent.say':
        return takeText('say', event.id, event.text)
      case 'user.activity':
        return dispatch({ event: 'activity' })
      case 'ptt.start':
      case 'ptt.commit':
      case 'ptt.cancel':
        if (event.event === 'ptt.start') awaitsStart = false
        if (inputMode() === 'push-to-talk') return dispatch({ event: event.event })
        return refuse('invalid_request', 'This conversation was not started with the input mode "push-to-talk".')
      case 'interrupt':
        return dispatch({ event: 'interrupt' })
      case 'tool.result':
        if (clientTools.take(event)) return
        return refuse('invalid_request', 'tool_call_id: no call with this id waits for a result')
    }
  }

  return {
    refuse,
    /** To be called when audio comes. In push-to-talk over a WebSocket, audio before the first `ptt.start` is refused once. */
    audioCame() {
      if (!awaitsStart) return
      awaitsStart = false
      refuse('invalid_request', 'In push-to-talk, audio is ignored until "ptt.start" is sent.')
    },
    take(event: SessionClientEvent) {
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
