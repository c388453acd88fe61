import type { ServerEvent } from './server-event.js'
import type { SpeechClock } from './speech-clock.js'

/** Passes an event of the service to the clock. `announced` are the ids of the speeches that were announced before. */
export const followSpeech = (clock: SpeechClock, announced: Set<string>, event: ServerEvent): void => {
  const nowMs = performance.now()
  switch (event.event) {
    case 'transcript':
      if (event.role !== 'agent' || announced.has(event.id)) return
      announced.add(event.id)
      clock.announced(event.id)
      break
    case 'agent.state':
      if (event.state === 'speaking') clock.sent(nowMs)
      break
    case 'interruption':
      clock.cut(nowMs)
      break
    case 'alignment':
      clock.align(event)
  }
}
