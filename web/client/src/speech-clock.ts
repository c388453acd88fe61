/**
 * Which speech is heard, and how much of it was.
 *
 * The service counts its audio on through silence, in real time, and sends nothing while it is silent for long. So:
 *
 * - Audio that goes on after a silence, with a step on its clock, is the first of the speech that was announced before, or goes on
 *   with one that stalled. Without the step it only came late.
 * - That also shows how the arrival of the service's words compares with the clock of its audio. With it, and however much the
 *   browser holds back before it plays it, what the service says it begins or cuts off now has its place on that clock: that serves
 *   where there was no silence, or nobody looked in time.
 */
import type { Alignment, TimedViseme, TimedWord } from './client-events.js'
import type { HeardSpeech } from './heard-speech.js'
import type { AudioMoment } from './link.js'

export interface SpeechClock {
  /** The service has something to say under this id. */
  announced(speechId: string): void
  /** It begins to send the audio of what was announced last. */
  sent(nowMs: number): void
  /** It sends no more of what it has sent. */
  cut(nowMs: number): void
  align(alignment: Pick<Alignment, 'id' | 'words' | 'visemes'>): void
  /** Looks which audio is played. To be called every 20 ms. */
  look(moment: AudioMoment | undefined, nowMs: number): void
  /** `latencyMs` is between what is played and the ear. */
  heard(nowMs: number, latencyMs: number): HeardSpeech | undefined
}

const packetMs = 20
/** Nothing was played for so long: silence. */
const silenceMs = 70
/** Packets come in steps, their time does not: a larger step is one of the audio's own. */
const stepMs = 50
const smoothing = 0.15
/** What is sent is played within this. The clock of a service that is too busy falls behind, and what it told is no longer true. */
const mostDelayMs = 500
/** Of so many speeches the alignment is kept: the one that is heard, and those that come. */
const mostSpeeches = 3

interface Speech {
  readonly speechId: string
  /** On the clock of the audio. */
  beganMs: number
  cutMs: number
}

/** Of each silence so much is played before nothing is: it counts as audio here, and is no speech. */
export const createSpeechClock = (sentSilenceMs: number): SpeechClock => {
  const marks = new Map<string, { readonly words: TimedWord[]; readonly visemes: TimedViseme[] }>()
  let next: { readonly speechId: string; sentMs?: number } | undefined
  let current: Speech | undefined
  let last: AudioMoment | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  /** From the page's clock to that of the audio: of what is played now, and of what the service tells of now. */
  let playedOffsetMs = 0
  let toldOffsetMs: number | undefined

  const marksOf = (speechId: string) => {
    const known = marks.get(speechId) ?? { words: [], visemes: [] }
    marks.set(speechId, known)
    for (const id of marks.keys()) if (marks.size > mostSpeeches) marks.delete(id)
    return known
  }

  const begin = (speechId: string, beganMs: number): void => {
    current = { speechId, beganMs, cutMs: Number.POSITIVE_INFINITY }
    next = undefined
  }

  const goOn = (streamMs: number): void => {
    if (next !== undefined) {
      const { speechId, sentMs } = next
      if (sentMs !== undefined) toldOffsetMs = streamMs - sentMs
      begin(speechId, streamMs)
    } else if (current !== undefined && last !== undefined) {
      current.beganMs += streamMs - (last.streamMs + packetMs - sentSilenceMs)
    }
  }

  return {
    announced(speechId) {
      marksOf(speechId)
      next = { speechId }
    },
    sent(nowMs) {
      if (next !== undefined) next.sentMs = nowMs
      // Its audio was there before the word.
      else if (current !== undefined) toldOffsetMs ??= current.beganMs - nowMs
    },
    cut(nowMs) {
      if (current !== undefined && toldOffsetMs !== undefined) current.cutMs = nowMs + toldOffsetMs
    },
    align({ id, words, visemes }) {
      const known = marksOf(id)
      known.words.push(...words)
      known.visemes.push(...visemes)
    },
    look(moment, nowMs) {
      const inTime = last === undefined || nowMs - lookedMs < silenceMs
      lookedMs = nowMs
      if (moment === undefined || moment.streamMs === last?.streamMs) return
      const { streamMs, atMs } = moment
      const silent = last === undefined || atMs - last.atMs > silenceMs
      const stepped = last === undefined || streamMs - last.streamMs > 1.5 * packetMs
      if (stepped && silent && inTime) goOn(streamMs)
      else if (next?.sentMs !== undefined) {
        const beganMs = next.sentMs + Math.min(toldOffsetMs ?? playedOffsetMs, playedOffsetMs + mostDelayMs)
        if (streamMs > beganMs) begin(next.speechId, beganMs)
      }
      const movedMs = streamMs - atMs - playedOffsetMs
      playedOffsetMs += silent || Math.abs(movedMs) > stepMs ? movedMs : movedMs * smoothing
      last = moment
    },
    heard(nowMs, latencyMs) {
      if (current === undefined || last === undefined || nowMs - last.atMs > silenceMs) return undefined
      const { speechId, beganMs, cutMs } = current
      const streamMs = nowMs + playedOffsetMs - latencyMs
      if (streamMs < beganMs || streamMs > cutMs) return undefined
      return { speechId, positionMs: streamMs - beganMs, ...marksOf(speechId) }
    },
  }
}
