/**
 * Whose turn it is. Pure: it keeps no clock and does nothing, but says what is to be done.
 *
 * - At most one turn is the agent's and at most one utterance is being listened to; utterances that are over may wait to be
 *   understood meanwhile.
 * - Utterances and turns are numbered. What comes late, of one that is no more, changes nothing.
 * - After each event the rules are applied in one order: a voice begins an utterance, a pause ends it, it holds or
 *   interrupts the agent, silence ends the conversation. What the peer is told of is derived from the state at the end.
 */
import type { AgentConfig } from '@parlance/contracts'
import { type AgentTurn, mayInterrupt } from './agent-turn.js'
import { endsAtMs } from './endpointing.js'
import { counts, interruptionDueMs, judgeInterruption } from './interruption.js'
import type { Said, TurnDecision, TurnEvent } from './turn-event.js'
import { beginUtterance, goOn, pause, type Utterance, wasVoiced } from './utterance.js'

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
  const understanding = new Map<number, Utterance>()
  let utterance: Utterance | undefined
  let turn: AgentTurn | undefined
  let utterances = 0
  let turns = 0
  let voiceSinceMs: number | undefined
  let quietSinceMs: number | undefined
  let leaving = false
  let told: { started: boolean; state?: ReturnType<typeof stateOfAgent> } = { started: false }
  let decisions: TurnDecision[] = []

  const decide = (decision: TurnDecision): void => void decisions.push(decision)

  const listen = (by: Utterance['by'], nowMs: number): void => {
    utterance = beginUtterance({ number: ++utterances, by, beganMs: nowMs, voiceSinceMs })
    decide({ decision: 'listen', utterance: utterance.number })
  }

  /** Nothing was said in it after all. */
  const letGo = (nothing: Utterance): void => {
    if (turn?.heldBy !== nothing) return
    turn.heldBy = undefined
    decide({ decision: 'resume', turn: turn.number })
  }

  const forget = (): void => {
    if (utterance === undefined) return
    const forgotten = utterance
    utterance = undefined
    decide({ decision: 'forget', utterance: forgotten.number })
    letGo(forgotten)
  }

  const understand = (nowMs: number): void => {
    if (utterance === undefined) return
    const { number, by, silentSinceMs = nowMs } = utterance
    understanding.set(number, utterance)
    utterance = undefined
    decide({ decision: 'understand', utterance: number, endpointingMs: by === 'voice' ? nowMs - silentSinceMs : null })
  }

  const interrupt = (): void => {
    if (turn !== undefined) decide({ decision: 'interrupt', turn: turn.number })
    turn = undefined
  }

  const begin = (interruptible: AgentTurn['interruptible']): number => {
    turn = { number: ++turns, interruptible, phase: 'thinking', hasAudio: false, heldBy: undefined }
    return turn.number
  }

  const reply = (said: Said): void => {
    interrupt()
    decide({ decision: 'reply', turn: begin(interruptionsEnabled ? 'always' : 'unheard'), said })
  }

  const takeVoice = (on: boolean, sinceMs: number): void => {
    voiceSinceMs = on ? (voiceSinceMs ?? sinceMs) : undefined
    if (utterance === undefined) return
    if (on) goOn(utterance, sinceMs)
    else pause(utterance, sinceMs)
  }

  const takePartial = (number: number, text: string): void => {
    const heard = utterance?.number === number ? utterance : understanding.get(number)
    if (heard !== undefined) heard.partial = text
  }

  const takeFinal = (number: number, text: string): void => {
    const understood = understanding.get(number)
    if (understood === undefined) return
    understanding.delete(number)
    if (text === '') letGo(understood)
    else reply({ utterance: number, text })
  }

  const leave = (): void => {
    leaving = true
    forget()
    for (const nothing of understanding.values()) {
      decide({ decision: 'forget', utterance: nothing.number })
      letGo(nothing)
    }
    understanding.clear()
  }

  const takePushToTalk = (event: 'ptt.start' | 'ptt.commit' | 'ptt.cancel', nowMs: number) => {
    if (inputMode !== 'push-to-talk') return
    if (event === 'ptt.cancel') return forget()
    if (event === 'ptt.commit') {
      // A recogniser that is given silence may well make something up.
      if (utterance !== undefined && wasVoiced(utterance)) understand(nowMs)
      else forget()
      return
    }
    if (utterance !== undefined) return
    interrupt()
    voiceSinceMs = undefined
    listen('push-to-talk', nowMs)
  }

  const takeOfAgent = (event: 'speaking' | 'over', number: number): void => {
    if (turn?.number !== number) return
    if (event === 'speaking') turn.hasAudio = true
    else turn = undefined
  }

  const takeOfUser = (event: Exclude<TurnEvent, { event: 'speaking' | 'over' | 'time' }>, nowMs: number) => {
    switch (event.event) {
      case 'voice':
        return takeVoice(event.on, nowMs - event.agoMs)
      case 'partial':
        return takePartial(event.utterance, event.text)
      case 'final':
        return takeFinal(event.utterance, event.text.trim())
      case 'text':
        return reply({ id: event.id, text: event.text })
      case 'interrupt':
        if (turn !== undefined && mayInterrupt(turn)) interrupt()
        return
      case 'greet':
        decide({
          decision: 'greet',
          turn: begin(firstMessageInterruptible && interruptionsEnabled ? 'always' : 'never'),
        })
        return
      case 'leave':
        return leave()
      default:
        return takePushToTalk(event.event, nowMs)
    }
  }

  /** When the voice that is heard begins an utterance. */
  const beginsAtMs = (): number | undefined =>
    inputMode === 'automatic' &&
    voiceSinceMs !== undefined &&
    utterance === undefined &&
    (turn === undefined || mayInterrupt(turn))
      ? voiceSinceMs + shortestVoiceMs
      : undefined

  const isQuiet = () => utterance === undefined && turn === undefined && understanding.size === 0

  const isDue = (dueMs: number | undefined, nowMs: number) => dueMs !== undefined && nowMs >= dueMs

  const applyRules = (nowMs: number): void => {
    if (leaving) return
    if (isDue(beginsAtMs(), nowMs)) listen('voice', nowMs)
    if (utterance !== undefined && nowMs >= endsAtMs(utterance, language, turnConfig)) {
      if (turn === undefined || counts(utterance, turn, turnConfig, nowMs)) understand(nowMs)
      else forget()
    }
    if (turn !== undefined) {
      const judgement = judgeInterruption(utterance, turn, turnConfig, nowMs)
      if (judgement === 'interrupt') interrupt()
      else if (judgement !== undefined) {
        const heldAlready = turn.heldBy !== undefined
        turn.heldBy = judgement === 'hold' ? utterance : undefined
        if (!(judgement === 'hold' && heldAlready)) decide({ decision: judgement, turn: turn.number })
      }
    }
    if (turn?.hasAudio && turn.heldBy === undefined) turn.phase = 'speaking'
    quietSinceMs = isQuiet() ? (quietSinceMs ?? nowMs) : undefined
    if (isDue(quietSinceMs, nowMs - silenceTimeoutMs)) {
      leaving = true
      decide({ decision: 'silence' })
    }
  }

  const stateOfAgent = () => {
    if (turn !== undefined) return turn.heldBy === undefined ? turn.phase : 'listening'
    return utterance === undefined && understanding.size > 0 ? 'thinking' : 'listening'
  }

  const tell = (): void => {
    const now = { started: utterance !== undefined, state: stateOfAgent() } as const
    if (now.started !== told.started) decide({ decision: 'user.speech', started: now.started })
    if (now.state !== told.state) decide({ decision: 'agent.state', state: now.state })
    told = now
  }

  return {
    take(event, nowMs) {
      decisions = []
      if (event.event === 'speaking' || event.event === 'over') takeOfAgent(event.event, event.turn)
      else if (event.event !== 'time' && !leaving) takeOfUser(event, nowMs)
      applyRules(nowMs)
      tell()
      return decisions
    },
    get dueMs() {
      if (leaving) return undefined
      const dues = [
        beginsAtMs(),
        utterance && endsAtMs(utterance, language, turnConfig),
        turn && interruptionDueMs(utterance, turn, turnConfig),
        quietSinceMs !== undefined ? quietSinceMs + silenceTimeoutMs : undefined,
      ]
      const known = dues.filter((due) => due !== undefined)
      return known.length === 0 ? undefined : Math.min(...known)
    },
  }
}
