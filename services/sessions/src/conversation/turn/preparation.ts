/**
 * Replies that are prepared while the user pauses, before it is certain that the turn is over.
 *
 * - A reply is prepared while one utterance is open, it pauses, and the agent is idle. It is discarded as soon as that ends.
 * - It is committed when the final text of the utterance is equivalent to the text that it answers.
 */
import { completenessOf } from './completeness.js'
import type { TurnEvent, TurnState, TurnStep } from './turn-state.js'
import { findUtterance, setPartial } from './user-turn.js'
import { hasWords, type Pause, type Utterance } from './utterance.js'

export interface Preparation {
  /** The number of the turn that the reply becomes. */
  readonly turn: number
  /** The number of the utterance that it answers. */
  readonly utterance: number
  /** What was recognized of that utterance. */
  readonly text: string
}

/** Shorter pauses are within words and between them. */
const previewAfterMs = 160
/** A voice without words for so long asks the recognizer, where that has reported nothing. */
const askAfterMs = 600
/** For each utterance. A user who hesitates often would cost a reply for each pause. */
const maxPreparations = 2

type PausedUtterance = Utterance & { readonly sound: Pause }

/** The utterance whose pause may be the end of the turn; undefined when no reply may be prepared. */
const pausedUtterance = ({ options, state: { agent, user } }: TurnStep): PausedUtterance | undefined => {
  const mayReply = options.turnConfig.preemptive && options.answersVoice !== false
  if (!mayReply || agent.name !== 'idle' || user.voiceSinceMs !== null) return undefined
  const [utterance, ...others] = user.utterance === null ? user.recognizing : [user.utterance, ...user.recognizing]
  if (utterance === undefined || others.length > 0 || utterance.startedBy !== 'voice') return undefined
  return utterance.sound.name === 'pause' ? (utterance as PausedUtterance) : undefined
}

/**
 * When to request a preview of the text: in each pause after which a reply may be prepared, and of an utterance that pauses the
 * agent's speech, in each pause and once in a voice that has no words. Not finite when none is requested.
 */
export const previewDueMs = (step: TurnStep): number => {
  const { agent, user } = step.state
  const { utterance } = user
  if (utterance === null || utterance.sound.name === 'none' || utterance.sound.preview !== 'none')
    return Number.POSITIVE_INFINITY
  const isPausing = agent.name === 'paused' && agent.utterance === utterance.number && agent.from === 'speaking'
  if (!isPausing && pausedUtterance(step) !== utterance) return Number.POSITIVE_INFINITY
  const { name, sinceMs } = utterance.sound
  if (name === 'pause') return sinceMs + previewAfterMs
  return hasWords(utterance) ? Number.POSITIVE_INFINITY : sinceMs + askAfterMs
}

export const requestPreview = (step: TurnStep): void => {
  const { utterance } = step.state.user
  if (step.nowMs < previewDueMs(step) || utterance === null || utterance.sound.name === 'none') return
  const { sound, number, pauses } = utterance
  utterance.sound = { ...sound, preview: 'requested' }
  step.effects.push({ effect: 'recognition.preview', utterance: number, pause: sound.name === 'pause' ? pauses : null })
}

/** White space and punctuation, except where a digit follows: "1.5" is not "15". */
const formatting = /[\s\p{P}]+(?!\p{N})/gu
const plain = (text: string): string => text.toLowerCase().replace(formatting, '')

/** Whether two texts differ in case, punctuation and white space only. */
export const areEquivalent = (one: string, other: string): boolean => plain(one) === plain(other)

export const discardPrepared = ({ state, effects }: TurnStep): void => {
  if (state.prepared === null) return
  effects.push({ effect: 'reply.discard', turn: state.prepared.turn })
  state.prepared = null
}

/** Prepares the reply to a text that may be the whole text of the user. It replaces one that was prepared for another text. */
const prepare = (step: TurnStep, utterance: Utterance, text: string): void => {
  const { options, state, effects } = step
  if (!hasWords({ partial: text }) || completenessOf(text, options.language) === 'incomplete') return
  if (state.prepared !== null && areEquivalent(state.prepared.text, text)) return
  if (utterance.preparations >= maxPreparations) return
  discardPrepared(step)
  utterance.preparations += 1
  const turn = ++state.agentTurns
  state.prepared = { turn, utterance: utterance.number, text }
  effects.push({ effect: 'reply.prepare', turn, text })
}

/** Takes the preview, unless it is about another pause or voice than the present one. */
export const takePreview = (step: TurnStep, event: Extract<TurnEvent, { event: 'previewed' }>): void => {
  const utterance = findUtterance(step.state.user, event.utterance)
  if (utterance === undefined || utterance.sound.name === 'none' || utterance.sound.preview !== 'requested') return
  if (event.pause !== (utterance.sound.name === 'pause' ? utterance.pauses : null)) return
  utterance.sound = { ...utterance.sound, preview: event.text === null ? 'unknown' : 'answered' }
  if (event.text !== null) setPartial(step, { ...event, text: event.text })
  if (pausedUtterance(step) === utterance) prepare(step, utterance, utterance.partial.trim())
}

/** The text recognized so far of an utterance has changed. Where the recognizer has no preview, a reply is prepared to it. */
export const takePartial = (step: TurnStep, number: number): void => {
  const utterance = pausedUtterance(step)
  if (utterance?.number === number && utterance.sound.preview === 'unknown')
    prepare(step, utterance, utterance.partial.trim())
}

/** Discards a prepared reply once the user continues, types or is answered otherwise. */
export const discardObsolete = (step: TurnStep): void => {
  const { prepared } = step.state
  if (prepared !== null && pausedUtterance(step)?.number !== prepared.utterance) discardPrepared(step)
}

/** Takes the prepared reply if it answers the final text of the utterance. */
export const takePrepared = (state: TurnState, utterance: number, text: string): Preparation | undefined => {
  const { prepared } = state
  if (prepared?.utterance !== utterance || !areEquivalent(prepared.text, text)) return undefined
  state.prepared = null
  return prepared
}
