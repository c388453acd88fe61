/**
 * Computes which speech is being played, and the position in it.
 *
 * The clock of the service's audio runs in real time, also through silence, in which the service sends nothing. So:
 *
 * - Audio that resumes after a silence, with a step on its clock, is the start of the speech that was announced before, or
 *   continues a speech that had stalled or was paused; after a pause it begins with the word that the pause cut. Audio that resumes without a step was only late.
 * - The start of a speech also gives the offset between the arrival of the service's events and the clock of its audio.
 *   With this offset, and with the delay of the browser's jitter buffer, events that begin or cut a speech have a place on
 *   that clock. That is used where there was no silence, or where the page was too busy to notice it.
 */
import type { Alignment, TimedViseme, TimedWord } from './client-events.js'
import type { AudioMoment, Connection } from './connection.js'
import type { ServerEvent } from './messages.js'
import type { PlayingSpeech } from './parlance-client.js'

export interface SpeechClock {
  /** The service has announced a speech. */
  announced(speechId: string): void
  /** The service begins to send the audio of the speech that was announced last. */
  sent(nowMs: number): void
  /** The service pauses the speech, if there is one. */
  paused(): void
  /** The service has stopped the speech. */
  cut(nowMs: number): void
  align(alignment: Pick<Alignment, 'id' | 'words' | 'visemes'>): void
  /** `moment` is the audio that is being played. Must be called every 20 ms. */
  update(moment: AudioMoment | undefined, nowMs: number): void
  /** `latencyMs` is the output latency of the hardware. */
  playing(nowMs: number, latencyMs: number): PlayingSpeech | undefined
}

const packetMs = 20
/** Nothing was played for longer than this: silence. */
const silenceMs = 70
/** Smaller differences come from packets that arrive in steps. A larger one is a step of the audio clock. */
const stepMs = 50
const smoothing = 0.15
/**
 * Audio is played within this time after it was sent. The clock of an overloaded service falls behind, and the offset no longer
 * holds.
 */
const maxDelayMs = 500
/** The number of speeches whose alignment is kept: the current one, and those that follow. */
const maxSpeeches = 3

interface Speech {
  readonly speechId: string
  /** On the clock of the audio. */
  beganMs: number
  cutMs: number
}

/** `sentSilenceMs` of each silence are sent. They count as audio, but not as speech. */
export const createSpeechClock = (sentSilenceMs: number): SpeechClock => {
  const marks = new Map<string, { readonly words: TimedWord[]; readonly visemes: TimedViseme[] }>()
  let next: { readonly speechId: string; sentMs?: number } | undefined
  let current: Speech | undefined
  let isPaused = false
  let last: AudioMoment | undefined
  let updatedAtMs = Number.NEGATIVE_INFINITY
  /** From the page's clock to the clock of the audio: for the audio that is played now, and for events that arrive now. */
  let playedOffsetMs = 0
  let eventOffsetMs: number | undefined

  const marksOf = (speechId: string) => {
    const known = marks.get(speechId) ?? { words: [], visemes: [] }
    marks.set(speechId, known)
    for (const id of marks.keys()) if (marks.size > maxSpeeches) marks.delete(id)
    return known
  }

  const begin = (speechId: string, beganMs: number): void => {
    current = { speechId, beganMs, cutMs: Number.POSITIVE_INFINITY }
    next = undefined
    isPaused = false
  }

  /** The last packet before a pause is a fade-out, which is not counted as played. */
  const resumedFrom = (speechId: string, stoppedMs: number): number => {
    const playedMs = stoppedMs - packetMs
    const cut = marksOf(speechId).words.find(({ start_ms, end_ms }) => start_ms < playedMs && playedMs < end_ms)
    return cut?.start_ms ?? playedMs
  }

  const resume = (streamMs: number): void => {
    if (next !== undefined) {
      const { speechId, sentMs } = next
      if (sentMs !== undefined) eventOffsetMs = streamMs - sentMs
      begin(speechId, streamMs)
    } else if (current !== undefined && last !== undefined) {
      const stoppedMs = last.streamMs + packetMs - sentSilenceMs - current.beganMs
      current.beganMs = streamMs - (isPaused ? resumedFrom(current.speechId, stoppedMs) : stoppedMs)
      isPaused = false
    }
  }

  return {
    announced(speechId) {
      marksOf(speechId)
      next = { speechId }
    },
    sent(nowMs) {
      if (next !== undefined) next.sentMs = nowMs
      // The audio of the speech arrived before the event.
      else if (current !== undefined) eventOffsetMs ??= current.beganMs - nowMs
    },
    paused() {
      isPaused = true
    },
    cut(nowMs) {
      if (current !== undefined && eventOffsetMs !== undefined) current.cutMs = nowMs + eventOffsetMs
    },
    align({ id, words, visemes }) {
      const known = marksOf(id)
      known.words.push(...words)
      known.visemes.push(...visemes)
    },
    update(moment, nowMs) {
      const inTime = last === undefined || nowMs - updatedAtMs < silenceMs
      updatedAtMs = nowMs
      if (moment === undefined || moment.streamMs === last?.streamMs) return
      const { streamMs, atMs } = moment
      const silent = last === undefined || atMs - last.atMs > silenceMs
      const stepped = last === undefined || streamMs - last.streamMs > 1.5 * packetMs
      if (stepped && silent && inTime) resume(streamMs)
      else if (next?.sentMs !== undefined) {
        const beganMs = next.sentMs + Math.min(eventOffsetMs ?? playedOffsetMs, playedOffsetMs + maxDelayMs)
        if (streamMs > beganMs) begin(next.speechId, beganMs)
      }
      const movedMs = streamMs - atMs - playedOffsetMs
      playedOffsetMs += silent || Math.abs(movedMs) > stepMs ? movedMs : movedMs * smoothing
      last = moment
    },
    playing(nowMs, latencyMs) {
      if (current === undefined || last === undefined || nowMs - last.atMs > silenceMs) return undefined
      const { speechId, beganMs, cutMs } = current
      const streamMs = nowMs + playedOffsetMs - latencyMs
      if (streamMs < beganMs || streamMs > cutMs) return undefined
      return { speechId, positionMs: streamMs - beganMs, ...marksOf(speechId) }
    },
  }
}

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
      if (event.state === 'listening') clock.paused()
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
