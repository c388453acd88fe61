import { resumeFrom } from './agent-turn.js'
import type { EndpointDecider } from './endpointing.js'
import type { TurnStep } from './turn-state.js'
import { addPause, addVoice, newUtterance, type Utterance } from './utterance.js'

/** The user's utterances. Utterances that are over may wait for their text while the next is recorded. */
export interface UserTurn {
  /** The utterance in progress. */
  utterance: Utterance | null
  /** Utterances that are over and whose text is awaited, oldest first. */
  recognizing: Utterance[]
  /** Since when there is voice, whether or not it belongs to an utterance; null in silence. */
  voiceSinceMs: number | null
  /** How many utterances have begun. */
  utterances: number
  /** The usual level of the user's voice, in dB of full scale; null until it is known. */
  levelDb: number | null
  /** A back-channel that may turn out to be an answer: the agent's turn may end soon after it. */
  setAside: SetAside | null
}

interface SetAside {
  readonly utterance: number
  readonly text: string
  /** The agent's turn during which it was spoken. */
  readonly turn: number
  readonly untilMs: number
}

/** An utterance that is in progress or awaits its text. */
export const findUtterance = ({ utterance, recognizing }: UserTurn, number: number): Utterance | undefined =>
  utterance?.number === number ? utterance : recognizing.find((one) => one.number === number)

export const setVoice = ({ state: { user } }: TurnStep, on: boolean, sinceMs: number): void => {
  user.voiceSinceMs = on ? (user.voiceSinceMs ?? sinceMs) : null
  if (user.utterance === null) return
  if (on) addVoice(user.utterance, sinceMs)
  else addPause(user.utterance, sinceMs)
}

/** An utterance that a voice starts begins with that voice. */
export const beginUtterance = ({ state, effects, nowMs }: TurnStep, startedBy: Utterance['startedBy']): void => {
  const { user } = state
  if (startedBy === 'push-to-talk') user.voiceSinceMs = null
  const number = ++user.utterances
  user.utterance = newUtterance({ number, startedBy, beganMs: nowMs }, user.voiceSinceMs)
  effects.push({ effect: 'recognition.begin', utterance: number })
}

export const setPartial = (
  { state }: TurnStep,
  { utterance: number, text, levelDb }: { utterance: number; text: string; levelDb?: number | undefined },
): void => {
  const utterance = findUtterance(state.user, number)
  if (utterance === undefined) return
  utterance.levelDb = levelDb ?? utterance.levelDb
  if (utterance.partial === text) return
  utterance.partial = text
  utterance.isReportedOver = false
}

export const setReportedOver = ({ state: { user } }: TurnStep, number: number): void => {
  if (user.utterance?.number === number) user.utterance.isReportedOver = true
}

/** The utterance in progress is over, and its text is awaited. */
export const finishUtterance = ({ state: { user }, effects, nowMs }: TurnStep, decidedBy: EndpointDecider): void => {
  const { utterance } = user
  if (utterance === null) return
  const { number, startedBy, sound } = utterance
  const silentSinceMs = sound.name === 'pause' ? sound.sinceMs : nowMs
  user.recognizing.push(utterance)
  user.utterance = null
  const endpointingMs = startedBy === 'voice' ? nowMs - silentSinceMs : null
  effects.push({ effect: 'recognition.finish', utterance: number, endpointingMs, decidedBy })
}

/** Takes an utterance whose text has arrived. Returns undefined for one that was cancelled. */
export const takeRecognized = (step: TurnStep, number: number, hasText: boolean): Utterance | undefined => {
  const { user } = step.state
  const recognized = user.recognizing.find((utterance) => utterance.number === number)
  if (recognized !== undefined && !hasText) step.unrecognized = true
  user.recognizing = user.recognizing.filter((utterance) => utterance !== recognized)
  return recognized
}

const cancel = (step: TurnStep, utterance: Utterance): void => {
  step.effects.push({ effect: 'recognition.cancel', utterance: utterance.number })
  resumeFrom(step, utterance)
}

/** The utterance in progress is dropped. */
export const cancelUtterance = (step: TurnStep): void => {
  const { user } = step.state
  const { utterance } = user
  user.utterance = null
  if (utterance !== null) cancel(step, utterance)
}

/** The same, where the user has finished and may expect an answer: the client is sent that nothing was recognized. */
export const cancelUnrecognized = (step: TurnStep): void => {
  if (step.state.user.utterance !== null) step.unrecognized = true
  cancelUtterance(step)
}

export const cancelAll = (step: TurnStep): void => {
  cancelUtterance(step)
  for (const utterance of step.state.user.recognizing.splice(0)) cancel(step, utterance)
}
