import { followSpeech } from './follow-speech.js'
import type { HeardSpeech } from './heard-speech.js'
import type { Link } from './link.js'
import type { ServerEvent } from './server-event.js'
import { createSpeechClock } from './speech-clock.js'

/** What is heard of the Agent in one session. */
export interface SessionSpeech {
  take(event: ServerEvent): void
  heard(latencyMs: number): HeardSpeech | undefined
  close(): void
}

const lookEveryMs = 20

export const watchSpeech = (link: Pick<Link, 'audioMoment' | 'sentSilenceMs'>): SessionSpeech => {
  const clock = createSpeechClock(link.sentSilenceMs)
  const announced = new Set<string>()
  const looking = setInterval(() => clock.look(link.audioMoment(), performance.now()), lookEveryMs)

  return {
    take: (event) => followSpeech(clock, announced, event),
    heard: (latencyMs) => clock.heard(performance.now(), latencyMs),
    close: () => clearInterval(looking),
  }
}
