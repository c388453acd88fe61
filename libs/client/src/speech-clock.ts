/**
 * Which speech is heard, and how much of it was.
 *
 * The service counts its audio on through silence, and sends nothing while it is silent for long: so audio that goes on after
 * a silence is the first of the speech that was announced before, or goes on with the one that stalled. From there on the clock of
 * the audio tells. What was said over the network is only asked where there was no silence between two speeches.
 */
import type { Alignment, TimedViseme, TimedWord } from './client-events.js'
import type { HeardSpeech } from './heard-speech.js'
import type { AudioMoment } from './link.js'

export interface SpeechClock {
  /** The service has something to say under this id. */
  announced(speechId: string): void
  /** It has begun to send the audio of what was announced last. */
  sent(nowMs: number): void
  align(alignment: Alignment): void
  /** Looks which audio is played. To be called every 20 ms. */
  look(moment: AudioMoment | undefined, nowMs: number): void
  /** `latencyMs` is between what was played and the ear. */
  heard(nowMs: number, latencyMs: number): HeardSpeech | undefined
}

/** Nothing was played for so long: silence. Packets are played every 20 ms. */
const silenceMs = 70
/** What the service still sends of a silence before it sends nothing; it counts as audio here, and is no speech. */
const sentSilenceMs = 100
/** After `sent`, audio that goes on without a silence belongs to the new speech. */
const takenOverAfterMs = 300
/** Alignment of so many speeches is kept: the one that is heard, and those that come. */
const mostSpeeches = 3

interface Marks {
  readonly words: TimedWord[]
  readonly visemes: TimedViseme[]
}

export const createSpeechClock = (): SpeechClock => {
  const marks = new Map<string, Marks>()
  let next: { readonly speechId: string; sentMs?: number } | undefined
  let current: string | undefined
  /** The moment of the stream at which `current` began. Moves on with each stall. */
  let beganMs = 0
  let last: AudioMoment | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  /** From when audio was sent until it is played. */
  let delayMs = 120

  const marksOf = (speechId: string): Marks => {
    const known = marks.get(speechId) ?? { words: [], visemes: [] }
    marks.set(speechId, known)
    for (const id of marks.keys()) if (marks.size > mostSpeeches) marks.delete(id)
    return known
  }

  const begin = (streamMs: number): void => {
    current = next?.speechId
    next = undefined
    beganMs = streamMs
  }

  const afterSilence = (moment: AudioMoment): void => {
    if (next !== undefined) {
      if (next.sentMs !== undefined) delayMs = Math.min(400, Math.max(20, moment.atMs - next.sentMs))
      begin(moment.streamMs)
    } else if (last !== undefined) {
      beganMs += moment.streamMs - last.streamMs - sentSilenceMs
    }
  }

  return {
    announced(speechId) {
      marksOf(speechId)
      next = { speechId }
    },
    sent(nowMs) {
      if (next !== undefined) next.sentMs = nowMs
    },
    align({ speech_id, words, visemes }) {
      const known = marksOf(speech_id)
      known.words.push(...words)
      known.visemes.push(...visemes)
    },
    look(moment, nowMs) {
      // Who looked too late cannot know whether there was silence.
      const inTime = nowMs - lookedMs < silenceMs
      lookedMs = nowMs
      if (moment === undefined || moment.streamMs === last?.streamMs) return
      if (last === undefined || (inTime && moment.atMs - last.atMs > silenceMs)) afterSilence(moment)
      else if (next?.sentMs !== undefined && nowMs - next.sentMs > takenOverAfterMs) {
        begin(moment.streamMs - (nowMs - next.sentMs - delayMs))
      }
      last = moment
    },
    heard(nowMs, latencyMs) {
      if (current === undefined || last === undefined || nowMs - last.atMs > silenceMs) return undefined
      const positionMs = last.streamMs - beganMs + (nowMs - last.atMs) - latencyMs
      if (positionMs < 0) return undefined
      return { speechId: current, positionMs, ...marksOf(current) }
    },
  }
}
