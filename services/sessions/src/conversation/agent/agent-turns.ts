import { randomUUID } from 'node:crypto'
import type { Span } from '@parlance/telemetry'
import type { ConversationOptions } from '../conversation.js'
import type { Transcript, TranscriptEntryOptions } from '../transcript.js'
import { createTurnClock, type TurnClock } from '../turn/turn-clock.js'
import type { TurnEvent } from '../turn/turn-event.js'
import { type AgentRepliesOptions, createAgentReplies } from './agent-replies.js'
import { type AgentUtterance, type AgentUtteranceOptions, openAgentUtterance } from './agent-utterance.js'
import { createTurnSteps } from './turn-steps.js'

/** The agent's turns, one at a time. */
export interface AgentTurns {
  greet(turn: number, text: string): void
  /** Answers `userText`, which is the last message of the transcript. */
  reply(turn: number, clock: TurnClock, userText: string): void
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

interface Current {
  readonly utterance: AgentUtterance
  /** Once, as soon as nothing more is to be measured. */
  sendMetrics(): void
  readonly span: Span | undefined
}

export const createAgentTurns = (options: AgentTurnsOptions): AgentTurns => {
  const { config, journal, transcript, send, dispatch, startSpan, voiceLanguage: language } = options
  const { speed } = config.voice_config
  const openReply = createAgentReplies(options)
  let current: Current | undefined

  const metricsOnce = (clock: TurnClock): (() => void) => {
    let sent = false
    return () => {
      if (sent) return
      sent = true
      const metrics = clock.metrics()
      send({ event: 'metrics', ...metrics })
      journal.turn(metrics)
    }
  }

  const open = (
    turn: number,
    sendMetrics: () => void,
    utterance: Pick<AgentUtteranceOptions, 'clock' | 'private' | 'text'> & TranscriptEntryOptions,
  ): void => {
    const span = startSpan('invoke_agent', { 'gen_ai.operation.name': 'invoke_agent', 'parlance.turn': turn })
    const begin = () =>
      openAgentUtterance({
        ...options,
        ...utterance,
        language,
        speed,
        entry: transcript.begin('agent', utterance),
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
    current = { utterance: span === undefined ? begin() : span.run(begin), sendMetrics, span }
  }

  const end = (how: 'interrupt' | 'stop'): void => {
    if (current === undefined) return
    const { utterance, sendMetrics, span } = current
    current = undefined
    utterance[how]()
    span?.setAttribute('parlance.end', how)
    span?.end()
    sendMetrics()
  }

  return {
    // A greeting answers nothing, so there is no latency to measure.
    greet: (turn, text) =>
      open(turn, () => {}, {
        clock: createTurnClock(),
        private: false,
        text: async function* () {
          yield { event: 'text', text }
        },
      }),
    reply(turn, clock, userText) {
      const steps = createTurnSteps()
      const id = randomUUID()
      const text = openReply({ turn, userText, messageId: id, steps })
      open(turn, metricsOnce(clock), { clock, private: true, id, steps, text })
    },
    pause: () => current?.utterance.pause(),
    resume: () => current?.utterance.resume(),
    interrupt: () => end('interrupt'),
    close: () => end('stop'),
    isBusy: () => current !== undefined,
  }
}
