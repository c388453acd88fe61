import type { ParlanceEvents } from './client-events.js'
import type { Emitter } from './emitter.js'
import type { ServerEvent } from './server-event.js'

/** Emits an event of the service to the page, under the name of the client's API. */
export const emitEvent = (event: ServerEvent, emit: Emitter<ParlanceEvents>['emit']): void => {
  switch (event.event) {
    case 'transcript':
      emit('transcript', payloadOf(event))
      break
    case 'agent.state':
      emit('agentState', event.state)
      break
    case 'user.speech':
      emit('userSpeaking', event.started)
      emit('userSpeech', payloadOf(event))
      break
    case 'alignment':
      emit('alignment', payloadOf(event))
      break
    case 'interruption':
      emit('interruption', payloadOf(event))
      break
    case 'tool.call':
      emit('toolCall', payloadOf(event))
      break
    case 'metrics':
      emit('metrics', payloadOf(event))
      break
    case 'session.ending':
      emit('ending', payloadOf(event))
  }
}

const payloadOf = <Event extends { readonly event: string }>({ event: _, ...payload }: Event): Omit<Event, 'event'> =>
  payload
