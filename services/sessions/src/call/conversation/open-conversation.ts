/**
 * A live conversation: what happens is told to `turn/`, which decides, and what it decides is done here.
 *
 * - Nothing is sent after `session.ended`, and no timer is left.
 * - An error of ours ends this conversation, and no other.
 */
import {
  type ErrorCode,
  errorBody,
  ServiceError,
  type SessionClientEvent,
  type SessionServerEvent,
  toServiceError,
} from '@parlance/contracts'
import { createClientTools } from '../../tools/client-tools.js'
import { createToolRunner } from '../../tools/tool-runner.js'
import type { TurnDecision } from '../../turn/turn-event.js'
import { createTurnTaking } from '../../turn/turn-taking.js'
import { createAgentTurns } from './agent-turns.js'
import type { Conversation, ConversationEnd, ConversationOptions } from './conversation.js'
import { createConversationLife } from './conversation-life.js'
import { createFailures, type FailingStage } from './failures.js'
import { createTranscript } from './transcript.js'
import { createTurnLoop } from './turn-loop.js'
import { createUserTurns } from './user-turns.js'

/** What has its place only once the client is ready. */
type TurnEventOfClient = Exclude<SessionClientEvent, { event: 'ping' | 'client.ready' | 'context.update' | 'mute' }>

/** How long what the agent is saying may still take where something has failed for good. */
const farewellMs = 5000

/** Takes the transport, the playout and the detector over: they are closed with it. */
export const openConversation = (options: ConversationOptions): Conversation => {
  const { sessionId, requestId, config, inputMode, transport, playout, voiceDetector, recognizer, journal, logger } =
    options
  const { turn_config, session_config } = config
  const failures = createFailures()
  let ready = false
  let context = ''
  let hungUp = false
  let resolveEnded = (_: ConversationEnd) => {}

  const send = (event: SessionServerEvent): void => {
    if (!hungUp) transport.send(event)
  }

  const refuse = (code: ErrorCode, detail: string): void => send(errorBody(new ServiceError(code, detail), requestId))

  const onFailed = (stage: FailingStage, thrown: unknown): void => {
    const error = toServiceError(thrown)
    logger.warn({ component: stage, code: error.code, err: error }, 'A stage of a conversation failed')
    send(errorBody(error, requestId))
    if (error.code === 'insufficient_credit') life.end('insufficient_credit', farewellMs)
    else if (failures.failed(stage)) life.end(`${stage}_error`, farewellMs, error)
  }

  const onBroken = (err: unknown): void => {
    logger.error({ err }, 'A conversation failed')
    life.end('internal_error', 0)
  }

  const transcript = createTranscript({ send, keep: (message) => journal.message(message) })

  const turns = createTurnLoop(
    createTurnTaking({
      inputMode,
      language: config.stt_config.language,
      turnConfig: turn_config,
      firstMessageInterruptible: config.first_message_interruptible,
      silenceTimeoutMs: session_config.silence_timeout_seconds * 1000,
    }),
    (decision) => perform(decision),
    onBroken,
  )
  const { happened } = turns

  const user = createUserTurns({
    inputMode,
    recognizer,
    voiceDetector,
    transcript,
    happened,
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
    happened(event) {
      happened(event)
      if (event.event === 'over') life.finished()
    },
    onSucceeded: failures.succeeded,
  })

  const life = createConversationLife({
    maxDurationMs: session_config.max_duration_seconds * 1000,
    isBusy: agent.isBusy,
    onEnding(reason, deadlineMs) {
      send({ event: 'session.ending', reason, deadline_ms: deadlineMs })
      journal.ending(reason)
    },
    onLeave: () => happened({ event: 'leave' }),
    onOver(end) {
      turns.close()
      attempt(() => agent.close())
      attempt(() => user.close())
      attempt(() => send({ event: 'session.ended', reason: end.reason, end_reason: end.reason }))
      hungUp = true
      attempt(() => playout.close())
      attempt(() => voiceDetector?.close())
      attempt(() => transport.close()).then(() => resolveEnded(end))
    },
  })

  /** What cannot be closed keeps nothing else open. Never rejects. */
  const attempt = async (close: () => void | Promise<void>): Promise<void> => {
    try {
      await close()
    } catch (err) {
      logger.error({ err }, 'A part of a conversation could not be closed')
    }
  }

  const perform = (decision: TurnDecision) => {
    switch (decision.decision) {
      case 'listen':
      case 'understand':
      case 'forget':
        return user.perform(decision)
      case 'greet':
        return agent.greet(decision.turn, config.first_message ?? '')
      case 'reply':
        return agent.reply(decision.turn, user.commit(decision.said), decision.said.text)
      case 'hold':
        return agent.hold()
      case 'resume':
        return agent.resume()
      case 'interrupt':
        return agent.interrupt()
      case 'user.speech': {
        const { decision: event, ...speech } = decision
        return send({ event, ...speech })
      }
      case 'agent.state':
        return send({ event: 'agent.state', state: decision.state })
      case 'silence':
        return life.end('silence_timeout', 0)
    }
  }

  const begin = (): void => {
    if (ready) return
    ready = true
    journal.started()
    life.begin()
    if (voiceDetector !== undefined && recognizer === undefined)
      refuse('unavailable', 'Speech is not understood here. Send text instead.')
    // It was warmed up when the conversation was started; a client that took long to connect finds it so still.
    recognizer?.warmUp?.()
    if (config.first_message !== null) happened({ event: 'greet' })
  }

  const takeText = (id: string, text: string) => {
    if (transcript.has(id)) return
    if (text.trim() === '') return refuse('invalid_request', 'text: must hold more than white space')
    happened({ event: 'text', id, text })
  }

  const takeEvent = (event: SessionClientEvent) => {
    switch (event.event) {
      case 'ping':
        return send({ event: 'pong' })
      case 'client.ready':
        return begin()
      case 'context.update':
        context = event.text
        return
      case 'mute':
        return user.mute(event.muted)
      default:
        if (ready) return takeTurnEvent(event)
        return refuse('invalid_request', `Send "client.ready" before "${event.event}".`)
    }
  }

  const takeTurnEvent = (event: TurnEventOfClient) => {
    switch (event.event) {
      case 'text.send':
        return takeText(event.id, event.text)
      case 'ptt.start':
      case 'ptt.commit':
      case 'ptt.cancel':
        if (inputMode === 'push-to-talk') return happened({ event: event.event })
        return refuse('invalid_request', 'This conversation was not started with the input mode "push-to-talk".')
      case 'interrupt':
        return happened({ event: 'interrupt' })
      case 'tool.result':
        if (clientTools.take(event)) return
        return refuse('invalid_request', 'tool_call_id: no call of this id waits for a result')
    }
  }

  /** For what is called from outside, which must not throw. */
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
      happened({ event: 'time' })
    }),
    onAudio: guarded((frame) => {
      if (ready) user.hear(frame)
    }),
    onEvent: guarded(takeEvent),
    onLost: guarded((reason) => life.lose(reason)),
  })

  return {
    end: guarded((reason, deadlineMs) => life.end(reason, deadlineMs)),
    ended: new Promise((resolve) => {
      resolveEnded = resolve
    }),
  }
}
