/**
 * Whose turn it is, as a pure function of the state, an event and the time. It keeps no clock and no closure: a conversation
 * whose events were recorded replays to the same effects.
 *
 * - At most one turn of the agent and one utterance of the user are in progress. Utterances that are over may still wait for their
 *   text.
 * - After each event the rules apply in one order: voice begins an utterance, the detector is asked about a pause, a pause ends
 *   the utterance, it pauses or interrupts the agent, the recognizer is asked for its text so far, a prepared reply that is
 *   obsolete is discarded, silence ends the conversation. What the client is sent is derived from the state after that.
 */
import type { AgentState } from '@parlance/contracts'
import type { Transition } from '../reducer-runner.js'
import {
  beginTurn,
  finishTurn,
  interruptTurn,
  mayInterrupt,
  pauseTurn,
  phaseOf,
  resumeFrom,
  resumeTurn,
  takeAudio,
} from './agent-turn.js'
import { endpointOf } from './endpointing.js'
import { counts, interruptionDuesMs, isNoInterruption, judgeInterruption } from './interruption.js'
import {
  discardObsolete,
  discardPrepared,
  previewDueMs,
  requestPreview,
  takePartial,
  takePrepared,
  takePreview,
} from './preparation.js'
import { askDetector, detectionDueMs, setCompleteProbability } from './turn-detection.js'
import type { TurnEffect, TurnEvent, TurnOptions, TurnState, TurnStep, UserInput } from './turn-state.js'
import {
  beginUtterance,
  cancelAll,
  cancelUnrecognized,
  cancelUtterance,
  finishUtterance,
  setPartial,
  setReportedOver,
  setVoice,
  takeRecognized,
} from './user-turn.js'
import { isVoiced, type Utterance, wasVoiced } from './utterance.js'

/** A shorter sound is not a voice, while the agent does not speak. */
const minVoiceMs = 120
/** A back-channel that ends so long before the agent's turn is an answer to it. */
const answerBeforeEndMs = 1000

const replyInterruptible = ({ options }: TurnStep) =>
  options.turnConfig.interruptions_enabled ? 'always' : 'before-audio'

const store = (step: TurnStep, input: UserInput): void => {
  discardPrepared(step)
  step.effects.push({ effect: 'store', input })
}

/** `preparations` is how many replies to the input were prepared. */
const reply = (step: TurnStep, input: UserInput, preparations = 0) => {
  interruptTurn(step)
  if ('utterance' in input && step.options.answersVoice === false) return store(step, input)
  const prepared = 'utterance' in input ? takePrepared(step.state, input.utterance, input.text) : undefined
  discardPrepared(step)
  const turn = beginTurn(step, replyInterruptible(step), prepared?.turn)
  if (prepared === undefined) step.effects.push({ effect: 'reply', turn, input, missed: preparations > 0 })
  else step.effects.push({ effect: 'reply.commit', turn, input })
}

const greet = (step: TurnStep): void => {
  const { firstMessageInterruptible, turnConfig } = step.options
  const isInterruptible = firstMessageInterruptible && turnConfig.interruptions_enabled
  step.effects.push({ effect: 'greet', turn: beginTurn(step, isInterruptible ? 'always' : 'never') })
}

const say = (step: TurnStep, { id, text }: Extract<TurnEvent, { event: 'say' }>): void => {
  interruptTurn(step)
  discardPrepared(step)
  step.effects.push({ effect: 'say', turn: beginTurn(step, replyInterruptible(step)), id, text })
}

/** Words of the user that are on their way are answered instead. */
const continueTurn = (step: TurnStep): void => {
  const { agent, user } = step.state
  if (agent.name !== 'idle' || user.utterance !== null || user.recognizing.length > 0) return
  step.effects.push({ effect: 'continue', turn: beginTurn(step, replyInterruptible(step)) })
}

/** Takes the user's usual level from utterances that are answered. Those of one person differ by several dB. */
const learnLevel = ({ state: { user } }: TurnStep, { levelDb }: Utterance): void => {
  if (levelDb !== null) user.levelDb = user.levelDb === null ? levelDb : 0.7 * user.levelDb + 0.3 * levelDb
}

const takeFinal = (step: TurnStep, event: Extract<TurnEvent, { event: 'final' }>) => {
  const { options, state, nowMs } = step
  const number = event.utterance
  const text = event.text.trim()
  const utterance = takeRecognized(step, number, text !== '')
  if (utterance === undefined) return
  if (text === '') return resumeFrom(step, utterance)
  const levelDb = event.levelDb ?? utterance.levelDb
  const { agent, user } = state
  const isDuringTurn = agent.name !== 'idle' && utterance.startedBy === 'voice'
  if (isDuringTurn && options.voiceInterrupts === false) return store(step, { utterance: number, text })
  const ignored = isDuringTurn ? isNoInterruption(text, levelDb, user, options.language) : undefined
  if (agent.name === 'idle' || ignored === undefined) {
    learnLevel(step, { ...utterance, levelDb })
    return reply(step, { utterance: number, text }, utterance.preparations)
  }
  dropSetAside(step)
  resumeFrom(step, utterance)
  user.setAside = { utterance: number, text, turn: agent.number, untilMs: nowMs + answerBeforeEndMs }
  if (ignored === 'distant' || phaseOf(agent) === 'thinking') dropSetAside(step)
}

/** Withdraws the back-channel. */
const dropSetAside = ({ state: { user }, effects }: TurnStep): void => {
  if (user.setAside === null) return
  effects.push({ effect: 'recognition.cancel', utterance: user.setAside.utterance })
  user.setAside = null
}

const dropObsoleteSetAside = (step: TurnStep): void => {
  const { user, agent } = step.state
  if (user.setAside === null) return
  const isCurrent = agent.name !== 'idle' && agent.number === user.setAside.turn
  if (!isCurrent || step.nowMs >= user.setAside.untilMs) dropSetAside(step)
}

/** In push-to-talk the user marks the beginning and the end of an utterance, and may always interrupt. */
const takePushToTalk = (event: 'ptt.start' | 'ptt.commit' | 'ptt.cancel', step: TurnStep) => {
  const { utterance } = step.state.user
  switch (event) {
    case 'ptt.start':
      if (utterance !== null) return
      interruptTurn(step)
      return beginUtterance(step, 'push-to-talk')
    case 'ptt.commit':
      // A recognizer may invent text for silence, so an utterance without voice is not recognized.
      if (utterance !== null && wasVoiced(utterance)) return finishUtterance(step, 'user')
      return cancelUnrecognized(step)
    case 'ptt.cancel':
      return cancelUtterance(step)
  }
}

const takeUserEvent = (step: TurnStep, event: TurnEvent) => {
  switch (event.event) {
    case 'voice':
      return setVoice(step, event.on, step.nowMs - event.agoMs)
    case 'partial':
      setPartial(step, event)
      return takePartial(step, event.utterance)
    case 'previewed':
      return takePreview(step, event)
    case 'final':
      return takeFinal(step, event)
    case 'turn.detected':
      return setCompleteProbability(step, event)
    case 'turn.ended':
      return setReportedOver(step, event.utterance)
    case 'ptt.start':
    case 'ptt.commit':
    case 'ptt.cancel':
      return takePushToTalk(event.event, step)
    case 'text':
      return reply(step, { id: event.id, text: event.text })
    case 'say':
      return say(step, event)
    case 'activity':
      step.state.quietSinceMs = null
      return
    case 'interrupt':
      if (mayInterrupt(step.state.agent)) interruptTurn(step)
      return
    case 'greet':
      return greet(step)
    case 'continue':
      return continueTurn(step)
    case 'leave':
      step.state.phase = 'leaving'
      discardPrepared(step)
      dropSetAside(step)
      return cancelAll(step)
  }
}

const takeAgentEvent = (step: TurnStep, event: TurnEvent): void => {
  const { state } = step
  if (event.event === 'agent.audio') takeAudio(state, event.turn)
  if (event.event !== 'agent.finished') return
  finishTurn(state, event.turn)
  const { setAside } = state.user
  if (setAside?.turn !== event.turn || state.agent.name !== 'idle' || state.phase !== 'talking') return
  state.user.setAside = null
  reply(step, { utterance: setAside.utterance, text: setAside.text })
}

/** When the present voice begins an utterance; not finite without one. */
const utteranceBeginsAtMs = ({ options, state: { agent, user } }: TurnStep): number => {
  const mayBegin = options.inputMode === 'automatic' && user.utterance === null
  const isOpen = agent.name === 'idle' || mayInterrupt(agent) || options.voiceInterrupts === false
  if (!mayBegin || !isOpen || user.voiceSinceMs === null) return Number.POSITIVE_INFINITY
  return agent.name === 'speaking' ? user.voiceSinceMs : user.voiceSinceMs + minVoiceMs
}

const applyBeginning = (step: TurnStep): void => {
  if (step.nowMs >= utteranceBeginsAtMs(step)) beginUtterance(step, 'voice')
}

const applyEndpointing = (step: TurnStep): void => {
  const { options, state, nowMs } = step
  const { agent, user } = state
  if (user.utterance === null) return
  const { atMs, decidedBy } = endpointOf(user.utterance, options)
  if (nowMs < atMs) return
  if (agent.name === 'idle' || options.voiceInterrupts === false || counts(user.utterance, agent, options, nowMs))
    finishUtterance(step, decidedBy)
  else cancelUnrecognized(step)
}

const applyInterruption = (step: TurnStep) => {
  const { user, agent } = step.state
  if (agent.name === 'idle' || step.options.voiceInterrupts === false) return
  switch (judgeInterruption(user, agent, step.options, step.nowMs)) {
    case 'pause':
      return pauseTurn(step, user.utterance!)
    case 'resume':
      if (user.utterance !== null && isVoiced(user.utterance)) user.utterance.isPassedOver = true
      return resumeTurn(step)
    case 'interrupt':
      return interruptTurn(step)
  }
}

const applySilence = ({ options, state, effects, nowMs }: TurnStep): void => {
  const { user, agent } = state
  const isQuiet = user.utterance === null && user.recognizing.length === 0 && agent.name === 'idle'
  state.quietSinceMs = isQuiet ? (state.quietSinceMs ?? nowMs) : null
  if (state.quietSinceMs === null || nowMs < state.quietSinceMs + options.silenceTimeoutMs) return
  state.phase = 'leaving'
  effects.push({ effect: 'silence.timeout' })
}

const agentStateOf = ({ agent, user }: TurnState): AgentState => {
  if (agent.name !== 'idle') return agent.name === 'paused' ? 'listening' : agent.name
  return user.recognizing.length > 0 && user.utterance === null ? 'thinking' : 'listening'
}

/** Adds what the client is to be sent, where that has changed. */
const report = ({ state, effects, unrecognized }: TurnStep): void => {
  const before = state.reported
  const now = { speech: state.user.utterance !== null, agent: agentStateOf(state) }
  if (now.speech && !before.speech) effects.push({ effect: 'user.speech', started: true })
  if (!now.speech && unrecognized) effects.push({ effect: 'user.speech', started: false, recognized: false })
  else if (!now.speech && before.speech) effects.push({ effect: 'user.speech', started: false })
  if (now.agent !== before.agent) effects.push({ effect: 'agent.state', state: now.agent })
  state.reported = now
}

const dueMsOf = (step: TurnStep): number | null => {
  const { options, state } = step
  if (state.phase === 'leaving') return null
  const { user, agent, quietSinceMs } = state
  const dues = [utteranceBeginsAtMs(step), detectionDueMs(step), previewDueMs(step)]
  if (user.setAside !== null) dues.push(user.setAside.untilMs)
  if (quietSinceMs !== null) dues.push(quietSinceMs + options.silenceTimeoutMs)
  if (user.utterance !== null) dues.push(endpointOf(user.utterance, options).atMs)
  if (agent.name !== 'idle' && options.voiceInterrupts !== false) dues.push(...interruptionDuesMs(user, agent, options))
  const finite = dues.filter(Number.isFinite)
  return finite.length === 0 ? null : Math.min(...finite)
}

const rules = [
  applyBeginning,
  askDetector,
  applyEndpointing,
  applyInterruption,
  requestPreview,
  discardObsolete,
  dropObsoleteSetAside,
  applySilence,
]

/** The reducer does not change the state it is given. Times are in ms since any point, and never go back. */
export const createTurnReducer =
  (options: TurnOptions) =>
  (before: TurnState, event: TurnEvent, nowMs: number): Transition<TurnState, TurnEffect> => {
    const state = structuredClone(before)
    const step: TurnStep = { options, state, effects: [], nowMs, unrecognized: false }
    takeAgentEvent(step, event)
    if (state.phase === 'talking') takeUserEvent(step, event)
    if (state.phase === 'talking') for (const apply of rules) apply(step)
    report(step)
    state.dueMs = dueMsOf(step)
    return { state, effects: step.effects }
  }
