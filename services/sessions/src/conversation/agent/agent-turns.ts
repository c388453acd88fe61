import { randomUUID } from 'node:crypto'
import type { TurnMetrics } from '@parlance/contracts'
import type { Span } from '@parlance/telemetry'
import type { ChatMessage } from '../../llm/language-model.js'
import type { ConversationOptions } from '../conversation.js'
import type { Transcript, TranscriptEntryOptions } from '../transcript.js'
import { createTurnClock, type TurnClock } from '../turn/turn-clock.js'
import type { TurnEvent } from '../turn/turn-event.js'
import { type AgentRepliesOptions, createAgentReplies, type OpenedReply } from './agent-replies.js'
import { type AgentUtterance, type AgentUtteranceOptions, openAgentUtterance } from './agent-utterance.js'
import { createTurnSteps } from './turn-steps.js'

/** The agent's turns, one at a time, and at most one reply that is prepared for the next. */
export interface AgentTurns {
  greet(turn: number, text: string): void
  /** Speaks a text of the page, as the message with this id. */
  say(turn: number, id: string, text: string): void
  /** Replies to the messages so far. */
  continue(turn: number): void
  /** Answers `userText`, which is the last message of the transcript. `missed`: an answer was prepared and cannot be used. */
  reply(turn: number, clock: TurnClock, userText: string, missed: boolean): void
  /** Begins the answer to `userText`, which may become the next message of the transcript. */
  prepare(turn: number, userText: string): void
  /** Drops the reply that was prepared. */
  discard(): void
  /**
   * The prepared reply is the agent's turn. It answers `userText`, which is the last message of the transcript now. One that has
   * failed, or whose context has changed, is begun anew.
   */
  commit(turn: number, clock: TurnClock, userText: string): void
  pause(): void
  resume(): void
  /** The user interrupted the turn. */
  interrupt(): void
  /** The conversation has ended. */
  close(): void
  /** Whether a turn is in progress. */
  isBusy(): boolean
}

export interface AgentTurnsOptions
  extends AgentRepliesOptions,
    Pick<ConversationOptions, 'speakSegment' | 'startSpan'>,
    Pick<AgentUtteranceOptions, 'send' | 'onSucceeded' | 'onFailed' | 'onBroken'> {
  readonly transcript: Transcript
  dispatch(event: TurnEvent): void
}

interface OpenTurn {
  readonly utterance: AgentUtterance
  readonly span: Span | undefined
  /** Sends the metrics of the turn, once, as soon as nothing more is to be measured. */
  sendMetrics(): void
}

/** A turn that answers the user. */
interface ReplyTurn extends OpenTurn, Pick<OpenedReply, 'isCurrent'> {
  /** It is the agent's turn now, and answers this text. `clock` has measured the user's turn where the reply was prepared. */
  commit(userText: string, speculation: TurnMetrics['speculation'], clock?: TurnClock): void
}

export const createAgentTurns = (options: AgentTurnsOptions): AgentTurns => {
  const { config, journal, transcript, send, dispatch, startSpan, voiceLanguage: language } = options
  const { speed } = config.voice_config
  const openReply = createAgentReplies(options)
  let current: OpenTurn | undefined
  let prepared: ReplyTurn | undefined

  const open = (
    turn: number,
    sendMetrics: () => void,
    utterance: Pick<AgentUtteranceOptions, 'clock' | 'private' | 'text'> & TranscriptEntryOptions,
  ): OpenTurn => {
    const span = startSpan('invoke_agent', { 'gen_ai.operation.name': 'invoke_agent', 'parlance.turn': turn })
    const begin = () =>
      openAgentUtterance({
        ...options,
        ...utterance,
        language,
        speed,
        beginEntry: () => transcript.begin('agent', utterance),
        onSpoken: (characters) => journal.used({ tts_characters: characters }),
        onFirstAudio() {
          dispatch({ event: 'agent.audio', turn })
          sendMetrics()
        },
        onFinished() {
          current = undefined
          span?.end()
          sendMetrics()
          dispatch({ event: 'agent.finished', turn })
        },
      })
    return { utterance: span === undefined ? begin() : span.run(begin), span, sendMetrics }
  }

  const openReplyTurn = (
    turn: number,
    clock: TurnClock,
    answered: { readonly messages: readonly ChatMessage[]; readonly userText: string },
    isMeasured = true,
  ): ReplyTurn => {
    const steps = createTurnSteps()
    const id = randomUUID()
    let { userText } = answered
    let speculation: TurnMetrics['speculation'] | undefined
    const { text, isCurrent } = openReply({
      turn,
      messages: answered.messages,
      userText: () => userText,
      messageId: id,
      steps,
    })
    let sent = !isMeasured
    const sendMetrics = (): void => {
      if (sent) return
      sent = true
      const metrics = clock.metrics(speculation ?? 'none')
      send({ event: 'metrics', ...metrics })
      journal.turn(metrics)
    }
    const opened = open(turn, sendMetrics, { clock, private: true, id, steps, text })
    return {
      ...opened,
      isCurrent,
      commit(finalText, howPrepared, turnClock) {
        userText = finalText
        speculation = howPrepared
        if (turnClock !== undefined) clock.commit(turnClock)
        opened.utterance.commit()
      },
    }
  }

  const stop = ({ utterance, span }: OpenTurn, how: 'interrupt' | 'stop' | 'discard'): void => {
    if (how === 'interrupt') utterance.interrupt()
    else utterance.stop()
    span?.setAttribute('parlance.end', how)
    span?.end()
  }

  const end = (how: 'interrupt' | 'stop'): void => {
    if (current === undefined) return
    const turn = current
    current = undefined
    stop(turn, how)
    turn.sendMetrics()
  }

  const discard = (): void => {
    if (prepared === undefined) return
    stop(prepared, 'discard')
    prepared = undefined
    journal.prepared('discarded')
  }

  const reply: AgentTurns['reply'] = (turn, clock, userText, missed) => {
    const opened = openReplyTurn(turn, clock, { messages: [...transcript.messages], userText })
    current = opened
    opened.commit(userText, missed ? 'miss' : 'none')
  }

  /** It answers nothing, so there is no latency to measure. */
  const speak = (turn: number, text: string, entry: { readonly private: boolean; readonly id?: string }): void => {
    current = open(turn, () => {}, {
      ...entry,
      clock: createTurnClock(),
      text: async function* () {
        yield { event: 'text', text }
      },
    })
    current.utterance.commit()
  }

  return {
    greet: (turn, text) => speak(turn, text, { private: false }),
    say: (turn, id, text) => speak(turn, text, { private: true, id }),
    // The turns that are measured are the answers to messages of the user.
    continue(turn) {
      const opened = openReplyTurn(turn, createTurnClock(), { messages: [...transcript.messages], userText: '' }, false)
      current = opened
      opened.commit('', 'none')
    },
    reply,
    prepare(turn, userText) {
      const messages: readonly ChatMessage[] = [...transcript.messages, { role: 'user', text: userText }]
      prepared = openReplyTurn(turn, createTurnClock(), { messages, userText })
    },
    discard,
    commit(turn, clock, userText) {
      if (prepared === undefined || prepared.utterance.hasFailed() || !prepared.isCurrent()) {
        discard()
        return reply(turn, clock, userText, true)
      }
      const committed = prepared
      prepared = undefined
      current = committed
      journal.prepared('used')
      committed.commit(userText, 'hit', clock)
    },
    pause: () => current?.utterance.pause(),
    resume: () => current?.utterance.resume(),
    interrupt: () => end('interrupt'),
    close() {
      discard()
      end('stop')
    },
    isBusy: () => current !== undefined,
  }
}
