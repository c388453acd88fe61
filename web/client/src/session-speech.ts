import type { Connection } from './connection.js'
import { followSpeech } from './follow-speech.js'
import type { PlayingSpeech } from './playing-speech.js'
import type { ServerEvent } from './server-event.js'
import { createSpeechClock } from './speech-clock.js'

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
