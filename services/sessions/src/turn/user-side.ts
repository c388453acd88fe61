import type { TurnDecision } from './turn-event.js'
import { beginUtterance, goOn, pause, type Utterance } from './utterance.js'

/** What the user is saying, and what he has said and is yet to be understood. */
export interface UserSide {
  /** That is being listened to. */
  readonly utterance: Utterance | undefined
  readonly isBeingUnderstood: boolean
  /** Since when there is a voice, whether or not it is listened to; undefined in silence. */
  readonly voiceSinceMs: number | undefined
  voice(on: boolean, sinceMs: number): void
  /** Begins to listen to an utterance, to the voice there is if it is one. */
  listen(by: Utterance['by'], nowMs: number): void
  understandPart(utterance: number, text: string): void
  /** What is listened to is over. */
  understand(nowMs: number): void
  /** Its recognition has ended, with words or without. Returns undefined for an utterance that was forgotten. */
  understood(utterance: number, hasWords: boolean): Utterance | undefined
  /** What is listened to was nothing. */
  forget(): void
  /** The same, where the user has finished and may expect an answer: the client is sent that nothing was understood. */
  forgetUnrecognized(): void
  forgetAll(): void
  /** Whether an utterance ended without a word understood since the last call. */
  takeUnrecognized(): boolean
}

/** `onNothing` is called with each utterance that is forgotten. */
export const createUserSide = (
  decide: (decision: TurnDecision) => void,
  onNothing: (utterance: Utterance) => void,
): UserSide => {
  const understanding = new Map<number, Utterance>()
  let utterance: Utterance | undefined
  let voiceSinceMs: number | undefined
  let utterances = 0
  let unrecognized = false

  const drop = (nothing: Utterance): void => {
    decide({ decision: 'forget', utterance: nothing.number })
    onNothing(nothing)
  }

  const forget = (): void => {
    const nothing = utterance
    utterance = undefined
    if (nothing !== undefined) drop(nothing)
  }

  return {
    get utterance() {
      return utterance
    },
    get isBeingUnderstood() {
      return understanding.size > 0
    },
    get voiceSinceMs() {
      return voiceSinceMs
    },
    voice(on, sinceMs) {
      voiceSinceMs = on ? (voiceSinceMs ?? sinceMs) : undefined
      if (utterance === undefined) return
      if (on) goOn(utterance, sinceMs)
      else pause(utterance, sinceMs)
    },
    listen(by, nowMs) {
      if (by === 'push-to-talk') voiceSinceMs = undefined
      utterance = beginUtterance({ number: ++utterances, by, beganMs: nowMs, voiceSinceMs })
      decide({ decision: 'listen', utterance: utterance.number })
    },
    understandPart(number, text) {
      const heard = utterance?.number === number ? utterance : understanding.get(number)
      if (heard !== undefined) heard.partial = text
    },
    understand(nowMs) {
      if (utterance === undefined) return
      const { number, by, silentSinceMs = nowMs } = utterance
      const endpointingMs = by === 'voice' ? nowMs - silentSinceMs : null
      understanding.set(number, utterance)
      utterance = undefined
      decide({ decision: 'understand', utterance: number, endpointingMs })
    },
    understood(number, hasWords) {
      const understood = understanding.get(number)
      if (understood !== undefined && !hasWords) unrecognized = true
      understanding.delete(number)
      return understood
    },
    forget,
    forgetUnrecognized() {
      if (utterance !== undefined) unrecognized = true
      forget()
    },
    takeUnrecognized() {
      const taken = unrecognized
      unrecognized = false
      return taken
    },
    forgetAll() {
      forget()
      const nothing = [...understanding.values()]
      understanding.clear()
      nothing.forEach(drop)
    },
  }
}
