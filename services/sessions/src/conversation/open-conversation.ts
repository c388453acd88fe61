/**
 * A live conversation: its events go to the reducers of the call and of the turns, and their effects are performed here.
 *
 * - Nothing is sent after `session.ended`, and no timer is left.
 * - An internal error ends this conversation and no other.
 */
import type { ServiceError, SessionServerEvent } from '@parlance/contracts'
import { createBuiltinTools } from '../tools/builtin-tools.js'
import { createClientTools } from '../tools/client-tools.js'
import { createToolRunner } from '../tools/tool-runner.js'
import { type AgentTurns, createAgentTurns } from './agent/agent-turns.js'
import { createCallEffects } from './call-effects.js'
import { type CallEffect, type CallEvent, createCallReducer, initialCallState } from './call-reducer.js'
import { createClientEvents } from './client-events.js'
import type { AgentParts, Conversation, ConversationEnd, ConversationOptions } from './conversation.js'
import { createStepReporter } from './conversation-step.js'
import { createReducerRunner } from './reducer-runner.js'
import { createStageFailures } from './stage-failures.js'
import { createTranscript } from './transcript.js'
import type { TurnEffect } from './turn/turn-effect.js'
import { createTurnEffects } from './turn/turn-effects.js'
import type { TurnEvent } from './turn/turn-event.js'
import { turnOptionsOf } from './turn/turn-options.js'
import { createTurnReducer } from './turn/turn-reducer.js'
import { initialTurnState } from './turn/turn-state.js'
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
  const { sessionId, config, inputMode, transport, transfer, journal, logger } = options
  const reportStep = createStepReporter({ sessionId, logger, recordStep: options.recordStep })
  let context = ''
  let resolveEnded = (_: ConversationEnd) => {}

  const send = (event: SessionServerEvent): void => {
    if (call.state.name !== 'ended') transport.send(event)
  }

  const end = (reason: ConversationEnd['reason'], deadlineMs: number, failure?: ServiceError): void => {
    const error = failure === undefined ? null : { code: failure.code, detail: failure.detail }
    call.dispatch({ event: 'end', reason, deadlineMs, error, agentBusy: agent.isBusy() })
  }

  const onBroken = (err: unknown): void => {
    logger.error({ err }, 'A conversation failed')
    end('internal_error', 0)
  }

  const call = createReducerRunner<typeof initialCallState, CallEvent, CallEffect>({
    initial: initialCallState,
    reduce: createCallReducer({ maxDurationMs: config.session_config.max_duration_seconds * 1000 }),
    perform: (effect) => performOfCall(effect),
    onStep: (step) => reportStep({ machine: 'call', ...step }),
    onFailed: onBroken,
  })
  const turns = createReducerRunner<typeof initialTurnState, TurnEvent, TurnEffect>({
    initial: initialTurnState,
    reduce: createTurnReducer(
      turnOptionsOf(config, {
        inputMode,
        detectsTurns: options.turnDetector !== undefined && !options.recognizer?.endsTurns,
        recognizerEndsTurns: options.recognizer?.endsTurns,
      }),
    ),
    perform(effect) {
      if (next !== undefined && !agent.isBusy()) goOnWithNext(next)
      performOfTurn(effect)
    },
    onStep: (step) => reportStep({ machine: 'turn', ...step }),
    onFailed: onBroken,
  })

  const stages = createStageFailures({ ...options, send, end })
  const transcript = createTranscript({ journal, send })
  const clientTools = createClientTools({ send })
  const shared = { ...options, ...stages, transcript, clientTools, send, onBroken }

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
        next = given
      },
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
        const isTransferred = next !== undefined
        turns.dispatch(event)
        if (event.event !== 'agent.finished') return
        call.dispatch({ event: 'agent.finished' })
        if (isTransferred) turns.dispatch({ event: 'continue' })
      },
    })
  }
  let agent = openAgent(options)
  /** The Agent to which the conversation is transferred when the turn is over. */
  let next: AgentParts | undefined
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

  const turnEffectsOf = (of: AgentTurns) =>
    createTurnEffects({ config, user, agent: of, send, onSilence: () => end('silence_timeout', 0) })
  let performOfTurn = turnEffectsOf(agent)

  const goOnWithNext = (parts: AgentParts): void => {
    next = undefined
    agent.close()
    transcript.handOver()
    agent = openAgent(parts)
    performOfTurn = turnEffectsOf(agent)
  }

  const performOfCall = createCallEffects({
    ...shared,
    turns,
    agent: { close: () => agent.close() },
    user,
    refuse: clientEvents.refuse,
    dispatch: call.dispatch,
    onReleased: (how) => resolveEnded(how),
  })

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
    ended: new Promise((resolve) => {
      resolveEnded = resolve
    }),
  }
}
