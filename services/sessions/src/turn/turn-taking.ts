/**
 * Whose turn it is. Pure: it keeps no clock and does nothing, but says what is to be done.
 *
 * - At most one turn is the agent's and at most one utterance is being listened to; utterances that are over may wait to be
 *   understood meanwhile.
 * - Utterances and turns are numbered. What comes late, of one that is no more, changes nothing.
 * - After each event the rules are applied in one order: a voice begins an utterance, a pause ends it, it holds or
 *   interrupts the agent, silence ends the conversation. What the peer is told is derived from where that leads.
 */
import type { AgentConfig, AgentState } from '@parlance/contracts'
import { createAgentSide, mayInterrupt } from './agent-side.js'
import { endsAtMs } from './endpointing.js'
import { counts, interruptionDuesMs, judgeInterruption } from './interruption.js'
import { takePushToTalk } from './push-to-talk.js'
import type { Said, TurnDecision, TurnEvent } from './turn-event.js'
import { createUserSide } from './user-side.js'

export interface TurnTakingOptions {
  readonly inputMode: 'push-to-talk' | 'automatic'
  /** A BCP 47 tag: what the user speaks. */
  readonly language: string
  readonly turnConfig: AgentConfig['turn_config']
  readonly firstMessageInterruptible: boolean
  readonly silenceTimeoutMs: number
}

export interface TurnTaking {
  /** Times are in ms from whenever, and never go back. */
  take(event: TurnEvent, nowMs: number): TurnDecision[]
  /** When to tell that time has passed, should nothing happen until then. */
  readonly dueMs: number | undefined
}

/** A shorter noise is no voice. */
const shortestVoiceMs = 120

export const createTurnTaking = (options: TurnTakingOptions): TurnTaking => {
  const { inputMode, language, turnConfig, firstMessageInterruptible, silenceTimeoutMs } = options
  const { interruptions_enabled: interruptionsEnabled } = turnConfig
  let decisions: TurnDecision[] = []
  let leaving = false
  let quietSinceMs = Number.POSITIVE_INFINITY
  let told: { speech: boolean; state?: AgentState } = { speech: false }

  const decide = (decision: TurnDecision): void => void decisions.push(decision)
  const agent = createAgentSide(decide)
  const user = createUserSide(decide, (nothing) => {
    if (agent.turn?.heldBy === nothing) agent.letGo()
  })

  const reply = (said: Said): void => {
    agent.interrupt()
    decide({ decision: 'reply', turn: agent.begin(interruptionsEnabled ? 'always' : 'unheard'), said })
  }

  const greet = (): void => {
    const interruptible = firstMessageInterruptible && interruptionsEnabled ? 'always' : 'never'
    decide({ decision: 'greet', turn: agent.begin(interruptible) })
  }

  const takeFinal = (number: number, text: string): void => {
    const utterance = user.understood(number, text !== '')
    if (utterance === undefined) return
    if (text !== '') reply({ utterance: number, text })
    else if (agent.turn?.heldBy === utterance) agent.letGo()
  }

  const takeOfUser = (event: TurnEvent, nowMs: number) => {
    switch (event.event) {
      case 'voice':
        return user.voice(event.on, nowMs - event.agoMs)
      case 'partial':
        return user.understandPart(event.utterance, event.text)
      case 'final':
        return takeFinal(event.utterance, event.text.trim())
      case 'ptt.start':
      case 'ptt.commit':
      case 'ptt.cancel':
        return takePushToTalk(event.event, user, agent, nowMs)
      case 'text':
        return reply({ id: event.id, text: event.text })
      case 'interrupt':
        if (agent.turn !== undefined && mayInterrupt(agent.turn)) agent.interrupt()
        return
      case 'greet':
        return greet()
      case 'leave':
        leaving = true
        return user.forgetAll()
    }
  }

  const takeOfAgent = (event: TurnEvent): void => {
    if (event.event === 'speaking') agent.speak(event.turn)
    if (event.event === 'over') agent.finish(event.turn)
  }

  /** When the voice that is heard begins an utterance. */
  const beginsAtMs = (): number => {
    const { turn } = agent
    const mayBegin = inputMode === 'automatic' && user.utterance === undefined
    const isListenedTo = turn === undefined || mayInterrupt(turn)
    return mayBegin && isListenedTo && user.voiceSinceMs !== undefined
      ? user.voiceSinceMs + shortestVoiceMs
      : Number.POSITIVE_INFINITY
  }

  const beginUtterance = (nowMs: number): void => {
    if (nowMs >= beginsAtMs()) user.listen('voice', nowMs)
  }

  const endUtterance = (nowMs: number): void => {
    const { utterance } = user
    if (utterance === undefined || nowMs < endsAtMs(utterance, language, turnConfig)) return
    if (agent.turn === undefined || counts(utterance, agent.turn, turnConfig, nowMs)) user.understand(nowMs)
    else user.forgetUnrecognized()
  }

  const judge = (nowMs: number) => {
    if (agent.turn === undefined) return
    switch (judgeInterruption(user.utterance, agent.turn, turnConfig, nowMs)) {
      case 'hold':
        return agent.hold(user.utterance!)
      case 'resume':
        return agent.letGo()
      case 'interrupt':
        return agent.interrupt()
    }
  }

  const watchSilence = (nowMs: number): void => {
    const isQuiet = user.utterance === undefined && !user.isBeingUnderstood && agent.turn === undefined
    quietSinceMs = isQuiet ? Math.min(quietSinceMs, nowMs) : Number.POSITIVE_INFINITY
    if (nowMs < quietSinceMs + silenceTimeoutMs) return
    leaving = true
    decide({ decision: 'silence' })
  }

  const stateOfAgent = (): AgentState => {
    if (agent.turn !== undefined) return agent.turn.heldBy === undefined ? agent.turn.phase : 'listening'
    return user.isBeingUnderstood && user.utterance === undefined ? 'thinking' : 'listening'
  }

  const tell = (): void => {
    const now = { speech: user.utterance !== undefined, state: stateOfAgent() }
    const unrecognized = user.takeUnrecognized()
    if (now.speech) {
      if (!told.speech) decide({ decision: 'user.speech', started: true })
    } else if (unrecognized) decide({ decision: 'user.speech', started: false, recognized: false })
    else if (told.speech) decide({ decision: 'user.speech', started: false })
    if (now.state !== told.state) decide({ decision: 'agent.state', state: now.state })
    told = now
  }

  return {
    take(event, nowMs) {
      decisions = []
      takeOfAgent(event)
      if (!leaving) takeOfUser(event, nowMs)
      if (!leaving) for (const apply of [beginUtterance, endUtterance, judge, watchSilence]) apply(nowMs)
      tell()
      return decisions
    },
    get dueMs() {
      if (leaving) return undefined
      const { utterance } = user
      const dues = [beginsAtMs(), quietSinceMs + silenceTimeoutMs]
      if (utterance !== undefined) dues.push(endsAtMs(utterance, language, turnConfig))
      if (agent.turn !== undefined) dues.push(...interruptionDuesMs(utterance, agent.turn, turnConfig))
      const known = dues.filter(Number.isFinite)
      return known.length === 0 ? undefined : Math.min(...known)
    },
  }
}
