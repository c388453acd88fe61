import { Counter, Gauge } from 'prom-client'
import { createTracedHistogram, type Instruments, speechBucketsSeconds } from './instruments.js'

/** Conversations. */
export interface SessionMetrics {
  /** Live conversations of this process. */
  sessionsActive(count: number): void
  /** The maximum number of live conversations of this process. */
  sessionsCapacity(count: number): void
  /** A conversation has ended; `reason` is an end reason of the contract. */
  sessionEnded(reason: string): void
  /** From the end of a user's voice to the start of the Agent's. */
  sessionVoiceToVoice(seconds: number): void
  /** The Agent's voice stopped in the middle of a reply, because the next audio came too late. */
  sessionUnderrun(): void
}

export const createSessionMetrics = (instruments: Instruments): SessionMetrics => {
  const { registers } = instruments
  const sessions = new Gauge({
    registers,
    name: 'parlance_sessions_active',
    help: 'Conversations that are held',
  })
  const capacity = new Gauge({
    registers,
    name: 'parlance_sessions_capacity',
    help: 'Conversations that can be held at once',
  })
  const sessionEnds = new Counter({
    registers,
    name: 'parlance_sessions_ended_total',
    help: 'Conversations that are over, by why',
    labelNames: ['reason'],
  })
  const voiceToVoice = createTracedHistogram(instruments, {
    name: 'parlance_session_voice_to_voice_seconds',
    help: "Time from the last of a user's voice to the first of the agent's",
    buckets: speechBucketsSeconds,
  })
  const underruns = new Counter({
    registers,
    name: 'parlance_session_underruns_total',
    help: "Gaps in the agent's voice, because the next audio came too late",
  })

  return {
    sessionsActive: (count) => sessions.set(count),
    sessionsCapacity: (count) => capacity.set(count),
    sessionEnded: (reason) => sessionEnds.labels(reason).inc(),
    sessionVoiceToVoice: (seconds) => voiceToVoice.observe({}, seconds),
    sessionUnderrun: () => underruns.inc(),
  }
}
