import { randomUUID } from 'node:crypto'
import type { TurnMetrics } from '@parlance/contracts'
import type { Span } from '@parlance/telemetry'
import type { ChatMessage } from '../../llm/language-model.js'
import type { ConversationOptions } from '../conversation.js'
import type { Transcript, TranscriptEntryOptions } from '../transcript.js'
import { TurnClock } from '../turn/turn-clock.js'
import type { TurnEvent } from '../turn/turn-state.js'
import { type AgentReplyOptions, openAgentReply } from './agent-reply.js'
import { createReplyTexts, type ReplyTextsOptions } from './reply-text.js'
import { createTurnSteps } from './turn-steps.js'

export interface AgentTurnsOptions
  extends ReplyTextsOptions,
    Pick<ConversationOptions, 'speakSegment' | 'startSpan' | 'onAgentTurn'>,
    Pick<AgentReplyOptions, 'send' | 'onSucceeded' | 'onFailed' | 'onBroken'> {
  readonly transcript: Transcript
  dispatch(event: TurnEvent): void
}

/** The agent's turns, one at a time, and at most one reply that is prepared for the next. */
export type AgentTurns = ReturnType<typeof createAgentTurns>

interface OpenTurn {
  readonly reply: ReturnType<typeof openAgentReply>
  readonly span: Span | undefined
  /** Sends the metrics of the turn, once, as soon as nothing more is to be measured. */
  sendMetrics(): void
}

/** A turn that answers the user. */
interface ReplyTurn extends OpenTurn {
  /** Whether what the reply is based on besides the messages is still the same. */
  isCurrent(): boolean
  /** It is the agent's turn now, and answers this text. `clock` has measured the user's turn where the reply was prepared. */
  commit(userText: string, speculation: TurnMetrics['speculation'], clock?: TurnClock): void
}

export const createAgentTurns = (options: AgentTurnsOptions) => {
  const { config, journal, transcript, send, dispatch, startSpan, voiceLanguage: language, onAgentTurn } = options
  const { speed } = config.voice_config
  const openReplyText = createReplyTexts(options)
  let current: OpenTurn | undefined
  let prepared: ReplyTurn | undefined

  const open = (
    turn: number,
    sendMetrics: () => void,
    given: Pick<AgentReplyOptions, 'clock' | 'private' | 'text'> & TranscriptEntryOptions,
  ): OpenTurn => {
    const span = startSpan('invoke_agent', { 'gen_ai.operation.name': 'invoke_agent', 'parlance.turn': turn })
    const openReply = () =>
      openAgentReply({
        ...options,
        ...given,
        language,
        speed,
        beginEntry: () => transcript.begin('agent', given),
        onSpoken: (characters) => journal.used({ tts_characters: characters }),
        onFirstAudio() {
          dispatch({ event: 'agent.audio', turn })
          sendMetrics()
        },
        onFinished() {
          current = undefined
          span?.end()
          sendMetrics()
          onAgentTurn?.('finished')
          dispatch({ event: 'agent.finished', turn })
        },
      })
    return { reply: span === undefined ? openReply() : span.run(openReply), span, sendMetrics }
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
    const { text, isCurrent } = openReplyText({
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
        opened.reply.commit()
      },
    }
  }

  const stop = ({ reply, span }: OpenTurn, how: 'interrupt' | 'stop' | 'discard'): void => {
    if (how === 'interrupt') reply.interrupt()
    else reply.stop()
    span?.setAttribute('parlance.end', how)
    span?.end()
  }

  const end = (how: 'interrupt' | 'stop'): void => {
    if (current === undefined) return
    const turn = current
    current = undefined
    stop(turn, how)
    turn.sendMetrics()
    onAgentTurn?.(how === 'interrupt' ? 'interrupted' : 'stopped')
  }

  const discard = (): void => {
    if (prepared === undefined) return
    stop(prepared, 'discard')
    prepared = undefined
    journal.prepared('discarded')
  }

  const begin = (turn: OpenTurn): void => {
    current = turn
    onAgentTurn?.('began')
  }

  /** Answers `userText`, which is the last message of the transcript. `missed`: an answer was prepared and cannot be used. */
  const reply = (turn: number, clock: TurnClock, userText: string, missed: boolean): void => {
    const opened = openReplyTurn(turn, clock, { messages: [...transcript.messages], userText })
    begin(opened)
    opened.commit(userText, missed ? 'miss' : 'none')
  }

  /** It answers nothing, so there is no latency to measure. */
  const speak = (turn: number, text: string, entry: { readonly private: boolean; readonly id?: string }): void => {
    const opened = open(turn, () => {}, {
      ...entry,
      clock: new TurnClock(),
      text: async function* () {
        yield { event: 'text', text }
      },
    })
    begin(opened)
    opened.reply.commit()
  }

  return {
    greet: (turn: number, text: string) => speak(turn, text, { private: false }),
    /** Speaks a text of the page, as the message with this id. */
    say: (turn: number, id: string, text: string) => speak(turn, text, { private: true, id }),
    /** Replies to the messages so far. Only the answers to messages of the user are measured. */
    continue(turn: number) {
      const opened = openReplyTurn(turn, new TurnClock(), { messages: [...transcript.messages], userText: '' }, false)
      begin(opened)
      opened.commit('', 'none')
    },
    reply,
    /** Begins the answer to `userText`, which may become the next message of the transcript. */
    prepare(turn: number, userText: string) {
      const messages: readonly ChatMessage[] = [...transcript.messages, { role: 'user', text: userText }]
      prepared = openReplyTurn(turn, new TurnClock(), { messages, userText })
    },
    /** Drops the reply that was prepared. */
    discard,
    /**
     * The prepared reply is the agent's turn. It answers `userText`, which is the last message of the transcript now. One that
     * has failed, or whose context has changed, is replaced by a new one.
     */
    commit(turn: number, clock: TurnClock, userText: string) {
      if (prepared === undefined || prepared.reply.hasFailed() || !prepared.isCurrent()) {
        discard()
        return reply(turn, clock, userText, true)
      }
      const committed = prepared
      prepared = undefined
      journal.prepared('used')
      begin(committed)
      committed.commit(userText, 'hit', clock)
    },
    pause: () => current?.reply.pause(),
    resume: () => current?.reply.resume(),
    /** The user interrupted the turn. */
    interrupt: () => end('interrupt'),
    /** The conversation has ended. */
    close() {
      discard()
      end('stop')
    },
    /** Whether a turn is in progress. */
    isBusy: () => current !== undefined,
  }
}
