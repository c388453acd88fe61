/**
 * A live conversation: its events go to the reducers of the call and of the turns, and their effects are performed here.
 *
 * - Nothing is sent after `session.ended`, since the transport is closed then, and no timer is left.
 * - An internal error ends this conversation and no other.
 */
import { type ServiceError, transferCallName } from '@parlance/contracts'
import { createBuiltinTools } from '../tools/builtin-tools.js'
import { createClientTools } from '../tools/client-tools.js'
import { createToolRunner } from '../tools/tool-runner.js'
import { type AgentTurns, createAgentTurns } from './agent/agent-turns.js'
import { type CallEffect, type CallEvent, type CallState, createCallReducer, initialCallState } from './call-reducer.js'
import { createClientEvents } from './client-events.js'
import type {
  AgentParts,
  Conversation,
  ConversationEnd,
  ConversationOptions,
  ConversationStep,
} from './conversation.js'
import { createReducerRunner } from './reducer-runner.js'
import { createStageFailures } from './stage-failures.js'
import { createTranscript } from './transcript.js'
import { createTurnReducer } from './turn/turn-reducer.js'
import { initialTurnState, type TurnEffect, type TurnEvent, type TurnState, turnOptionsOf } from './turn/turn-state.js'
import { createUserTurns } from './user/user-turns.js'

/** How long the last reply of an Agent that ends the conversation may be played. */
const finalReplyMs = 60_000

/** Wraps callbacks whose errors must not reach their caller: `onError` receives them. */
const createGuard =
  (onError: (error: unknown) => void) =>
  <Parameters extends unknown[]>(work: (...parameters: Parameters) => void) =>
  (...parameters: Parameters): void => {
    try {
      work(...parameters)
    } catch (error) {
      onError(error)
    }
  }

/** Owns the transport and the playback from now on: they are closed with the conversation. */
export const openConversation = (options: ConversationOptions): Conversation => {
  const { sessionId, config, transport, playback, recognizer, transfer, journal, logger, recordStep } = options
  const { send } = transport
  const isLogged = logger.isLevelEnabled('debug')
  let context = ''
  let resolveEnded = (_: ConversationEnd) => {}

  /** Logs the names of the event and its effects, without the user's words. */
  const reportStep = (step: ConversationStep): void => {
    recordStep?.(step)
    if (!isLogged) return
    const effects = step.effects.map(({ effect }) => effect).join(', ')
    logger.debug({ component: step.machine, sessionId }, `Event ${step.event.event}, effects: ${effects || 'none'}`)
  }

  const end = (reason: ConversationEnd['reason'], deadlineMs: number, failure?: ServiceError): void => {
    const error = failure === undefined ? null : { code: failure.code, detail: failure.detail }
    call.dispatch({ event: 'end', reason, deadlineMs, error, agentBusy: agent.isBusy() })
  }

  const onBroken = (err: unknown): void => {
    logger.error({ err }, 'A conversation failed')
    end('internal_error', 0)
  }

  const call = createReducerRunner<CallState, CallEvent, CallEffect>({
    initial: initialCallState,
    reduce: createCallReducer({ maxDurationMs: config.session_config.max_duration_seconds * 1000 }),
    perform: (effect) => performOfCall(effect),
    onStep: (step) => reportStep({ machine: 'call', ...step }),
    onFailed: onBroken,
  })
  const turnOptions = turnOptionsOf(config, {
    inputMode: options.inputMode,
    detectsTurns: options.turnDetector !== undefined && !recognizer?.endsTurns,
    recognizerEndsTurns: recognizer?.endsTurns,
  })
  const inputMode = () => turnOptions.inputMode
  const turns = createReducerRunner<TurnState, TurnEvent, TurnEffect>({
    initial: initialTurnState,
    reduce: createTurnReducer(turnOptions),
    perform: (effect) => performOfTurn(effect),
    onStep: (step) => reportStep({ machine: 'turn', ...step }),
    onFailed: onBroken,
  })

  const stages = createStageFailures({ ...options, send, end })
  const transcript = createTranscript({ journal, send })
  const clientTools = createClientTools({ send })
  const shared = { ...options, ...stages, inputMode, transcript, clientTools, send, onBroken }

  const user = createUserTurns({
    ...shared,
    language: config.stt_config.language,
    dispatch: turns.dispatch,
    used: (usage) => journal.used(usage),
  })
  const openAgent = (parts: AgentParts): AgentTurns => {
    const builtin = createBuiltinTools({
      config: parts.config,
      transfer,
      onEnd: () => end('agent_ended', finalReplyMs),
      onTransfer(given) {
        next = { parts: given, speaks: true }
      },
      transferCall: options.phone
        ? (number, context) => clientTools.call(transferCallName, { number }, context)
        : undefined,
    })
    return createAgentTurns({
      ...shared,
      ...parts,
      runner: createToolRunner({
        tools: [...clientTools.toolsOf(parts.config), ...builtin, ...parts.tools],
        logger,
      }),
      context: () => context,
      dispatch(event) {
        const isTransferred = next?.speaks === true
        turns.dispatch(event)
        if (event.event !== 'agent.finished') return
        call.dispatch({ event: 'agent.finished' })
        if (isTransferred) turns.dispatch({ event: 'continue' })
      },
    })
  }
  let agent = openAgent(options)
  /** The Agent that answers when the turn is over. It speaks at once where the conversation is transferred to it. */
  let next: { readonly parts: AgentParts; readonly speaks: boolean } | undefined
  const clientEvents = createClientEvents({
    ...shared,
    user,
    isReady: () => call.state.name !== 'connecting',
    onReady: () => call.dispatch({ event: 'client.ready' }),
    onContext(text) {
      context = text
    },
    dispatch: turns.dispatch,
  })

  const goOnWithNext = (parts: AgentParts): void => {
    next = undefined
    agent.close()
    transcript.handOver()
    agent = openAgent(parts)
  }

  const performOfTurn = (effect: TurnEffect) => {
    if (next !== undefined && !agent.isBusy()) goOnWithNext(next.parts)
    switch (effect.effect) {
      case 'recognition.begin':
      case 'recognition.finish':
      case 'recognition.cancel':
      case 'recognition.preview':
      case 'turn.detect':
        return user.perform(effect)
      case 'greet':
        return agent.greet(effect.turn, config.first_message ?? '')
      case 'say':
        return agent.say(effect.turn, effect.id, effect.text)
      case 'continue':
        return agent.continue(effect.turn)
      case 'reply':
        return agent.reply(effect.turn, user.commit(effect.input), effect.input.text, effect.missed)
      case 'store':
        return void user.commit(effect.input)
      case 'reply.prepare':
        return agent.prepare(effect.turn, effect.text)
      case 'reply.discard':
        return agent.discard()
      case 'reply.commit':
        return agent.commit(effect.turn, user.commit(effect.input), effect.input.text)
      case 'pause':
        return agent.pause()
      case 'resume':
        return agent.resume()
      case 'interrupt':
        return agent.interrupt()
      case 'user.speech': {
        const { effect: event, ...speech } = effect
        return send({ event, ...speech })
      }
      case 'agent.state':
        return send({ event: 'agent.state', state: effect.state })
      case 'silence.timeout':
        return end('silence_timeout', 0)
    }
  }

  /** Continues when a part cannot be closed. Never rejects. */
  const attempt = async (close: () => void | Promise<void>): Promise<void> => {
    try {
      await close()
    } catch (err) {
      logger.error({ err }, 'A part of a conversation could not be closed')
    }
  }

  const performOfCall = (effect: CallEffect) => {
    switch (effect.effect) {
      case 'begin':
        journal.started()
        if (options.voiceDetector !== undefined && recognizer === undefined)
          clientEvents.refuse('unavailable', 'There is no speech recognition here. Send text instead.')
        if (config.first_message !== null) turns.dispatch({ event: 'greet' })
        return
      case 'announce':
        send({ event: 'session.ending', reason: effect.reason, deadline_ms: effect.deadlineMs })
        return journal.ending(effect.reason)
      case 'leave':
        return turns.dispatch({ event: 'leave' })
      case 'close': {
        const { reason } = effect.end
        turns.close()
        attempt(() => agent.close())
        attempt(() => user.close())
        attempt(() => send({ event: 'session.ended', reason, end_reason: reason }))
        attempt(() => playback.close())
        attempt(() => transport.close()).then(() => resolveEnded(effect.end))
      }
    }
  }

  const guarded = createGuard(onBroken)
  transport.listen({
    onOpen: guarded(() => {
      send({ event: 'session.ready', session_id: sessionId })
      turns.dispatch({ event: 'time' })
    }),
    onAudio: guarded((frame) => {
      if (call.state.name === 'connecting') return
      clientEvents.audioCame()
      user.push(frame)
    }),
    onEvent: guarded(clientEvents.take),
    onLost: guarded((reason) => call.dispatch({ event: 'transport.lost', reason })),
  })
  return {
    end: guarded((reason, deadlineMs) => end(reason, deadlineMs)),
    add: guarded(({ id, role, text }) => transcript.begin(role, { id }).close(text)),
    reply: guarded(() => turns.dispatch({ event: 'continue' })),
    setUserTurns: guarded((given) => {
      if (given.inputMode !== turnOptions.inputMode) turns.dispatch({ event: 'ptt.cancel' })
      Object.assign(turnOptions, given)
    }),
    use: guarded((parts) => {
      if (agent.isBusy()) next = { parts, speaks: false }
      else goOnWithNext(parts)
    }),
    ended: new Promise((resolve) => {
      resolveEnded = resolve
    }),
  }
}
