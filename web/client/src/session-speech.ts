import type { Connection } from './connection.js'
import type { ServerEvent } from './messages.js'
import type { PlayingSpeech } from './parlance-client.js'
import type { SpeechClock } from './speech-clock.js'
import { createSpeechClock } from './speech-clock.js'

/** Passes an event of the service to the clock. `announced` are the ids of the speeches that were announced before. */
const followSpeech = (clock: SpeechClock, announced: Set<string>, event: ServerEvent): void => {
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

/** Follows which speech of the Agent is being played in one session. */
export interface SessionSpeech {
  onEvent(event: ServerEvent): void
  playing(latencyMs: number): PlayingSpeech | undefined
  close(): void
}

const updateIntervalMs = 20

export const watchSpeech = (connection: Pick<Connection, 'audioMoment' | 'sentSilenceMs'>): SessionSpeech => {
  const clock = createSpeechClock(connection.sentSilenceMs)
  const announced = new Set<string>()
  const timer = setInterval(() => clock.update(connection.audioMoment(), performance.now()), updateIntervalMs)

  return {
    onEvent: (event) => followSpeech(clock, announced, event),
    playing: (latencyMs) => clock.playing(performance.now(), latencyMs),
    close: () => clearInterval(timer),
  }
}
