/**
 * A live conversation: its events go to the reducers of the call and of the turns, and their effects are performed here.
 *
 * - Nothing is sent after `session.ended`, and no timer is left.
 * - An internal error ends this conversation and no other.
 */
import { errorBody, type ServiceError, type SessionServerEvent, toServiceError } from '@parlance/contracts'
import { createClientTools } from '../../tools/client-tools.js'
import { createToolRunner } from '../../tools/tool-runner.js'
import type { TurnEffect } from '../../turn/turn-effect.js'
import type { TurnEvent } from '../../turn/turn-event.js'
import { turnOptionsOf } from '../../turn/turn-options.js'
import { createTurnReducer } from '../../turn/turn-reducer.js'
import { initialTurnState } from '../../turn/turn-state.js'
import { type CallEffect, type CallEvent, createCallReducer, initialCallState } from '../call-reducer.js'
import { createMachine } from '../machine.js'
import { createAgentTurns } from './agent-turns.js'
import { createCallEffects } from './call-effects.js'
import { createClientEvents } from './client-events.js'
import type { Conversation, ConversationEnd, ConversationOptions } from './conversation.js'
import { createStepReporter } from './conversation-step.js'
import { createFailures, type FailingStage } from './failures.js'
import { createTranscript } from './transcript.js'
import { createTurnEffects } from './turn-effects.js'
import { createUserTurns } from './user-turns.js'

/** How long the agent may go on with what it is saying after a failure that ends the conversation. */
const farewellMs = 5000

/** Owns the transport, the playback and the detector from now on: they are closed with the conversation. */
export const openConversation = (options: ConversationOptions): Conversation => {
  const { sessionId, requestId, config, inputMode, transport, voiceDetector, recognizer, journal, logger } = options
  const failures = createFailures()
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

  const onFailed = (stage: FailingStage, thrown: unknown): void => {
    const error = toServiceError(thrown)
    logger.warn({ component: stage, code: error.code, err: error }, 'A stage of a conversation failed')
    send(errorBody(error, requestId))
    if (error.code === 'insufficient_credit') end('insufficient_credit', farewellMs)
    else if (failures.failed(stage)) end(`${stage}_error`, farewellMs, error)
  }

  const onBroken = (err: unknown): void => {
    logger.error({ err }, 'A conversation failed')
    end('internal_error', 0)
  }

  const transcript = createTranscript({
    send,
    keep: (message) => journal.message(message),
    keepSoFar: (message) => journal.progress(message),
  })

  const call = createMachine<typeof initialCallState, CallEvent, CallEffect>({
    initial: initialCallState,
    reduce: createCallReducer({ maxDurationMs: config.session_config.max_duration_seconds * 1000 }),
    perform: (effect) => performOfCall(effect),
    onStep: (step) => reportStep({ machine: 'call', ...step }),
    onFailed: onBroken,
  })

  const turns = createMachine<typeof initialTurnState, TurnEvent, TurnEffect>({
    initial: initialTurnState,
    reduce: createTurnReducer(turnOptionsOf(config, inputMode)),
    perform: (effect) => performOfTurn(effect),
    onStep: (step) => reportStep({ machine: 'turn', ...step }),
    onFailed: onBroken,
  })

  const user = createUserTurns({
    inputMode,
    recognizer,
    voiceDetector,
    transcript,
    dispatch: turns.dispatch,
    language: config.stt_config.language,
    used: (usage) => journal.used(usage),
    onSucceeded: () => failures.succeeded('stt'),
    onFailed: (error) => onFailed('stt', error),
    onBroken,
  })

  const clientTools = createClientTools({ config, send })

  const agent = createAgentTurns({
    ...options,
    transcript,
    send,
    onFailed,
    onBroken,
    runner: createToolRunner({ tools: [...clientTools.tools, ...options.tools], logger }),
    context: () => context,
    dispatch(event) {
      turns.dispatch(event)
      if (event.event === 'agent.finished') call.dispatch({ event: 'agent.finished' })
    },
    onSucceeded: failures.succeeded,
  })

  const clientEvents = createClientEvents({
    requestId,
    inputMode,
    transcript,
    user,
    clientTools,
    send,
    isReady: () => call.state.name !== 'connecting',
    onReady: () => call.dispatch({ event: 'client.ready' }),
    onContext(text) {
      context = text
    },
    dispatch: turns.dispatch,
  })

  const begin = (): void => {
    journal.started()
    if (voiceDetector !== undefined && recognizer === undefined)
      clientEvents.refuse('unavailable', 'Speech is not understood here. Send text instead.')
    if (config.first_message !== null) turns.dispatch({ event: 'greet' })
  }

  const performOfCall = createCallEffects({
    ...options,
    send,
    turns,
    agent,
    user,
    onBegin: begin,
    dispatch: call.dispatch,
    onReleased: (how) => resolveEnded(how),
  })

  const performOfTurn = createTurnEffects({
    config,
    user,
    agent,
    send,
    onSilence: () => end('silence_timeout', 0),
  })

  /** For the transport and the owner of the conversation, who must not see an error of it. */
  const guarded =
    <Parameters extends unknown[]>(work: (...parameters: Parameters) => void) =>
    (...parameters: Parameters): void => {
      try {
        work(...parameters)
      } catch (error) {
        onBroken(error)
      }
    }

  transport.listen({
    onOpen: guarded(() => {
      send({ event: 'session.ready', session_id: sessionId })
      turns.dispatch({ event: 'time' })
    }),
    onAudio: guarded((frame) => {
      if (call.state.name !== 'connecting') user.push(frame)
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
