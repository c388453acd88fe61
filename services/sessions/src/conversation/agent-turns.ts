import type { TurnEvent } from '../turn/turn-event.js'
import { type AgentUtterance, type AgentUtteranceOptions, openAgentUtterance } from './agent-utterance.js'
import type { Background, ConversationOptions } from './conversation.js'
import { composeReplyRequest, noBackground } from './reply-request.js'
import { replyText } from './reply-text.js'
import type { Transcript } from './transcript.js'
import { createTurnClock, type TurnClock } from './turn-clock.js'

/** What the agent says, one turn at a time. */
export interface AgentTurns {
  greet(turn: number, text: string): void
  /** Answers the last message. */
  reply(turn: number, clock: TurnClock, context: string): void
  hold(): void
  resume(): void
  /** The user has interrupted it. */
  interrupt(): void
  /** The conversation has ended. */
  close(): void
  isBusy(): boolean
}

export interface AgentTurnsOptions
  extends Pick<ConversationOptions, 'background' | 'config' | 'journal' | 'model' | 'playout' | 'speakSegment'>,
    Pick<AgentUtteranceOptions, 'send' | 'onSucceeded' | 'onFailed' | 'onBroken'> {
  readonly transcript: Transcript
  happened(event: TurnEvent): void
}

interface Current {
  readonly utterance: AgentUtterance
  /** What is measured is told once, as soon as nothing more is to come. */
  tellMetrics(): void
}

export const createAgentTurns = (options: AgentTurnsOptions): AgentTurns => {
  const { config, journal, model, transcript, send, happened } = options
  let background: Background = noBackground
  let current: Current | undefined

  void options.background.then((known) => {
    background = known
  })

  const onceFor = (clock: TurnClock): (() => void) => {
    let told = false
    return () => {
      if (told) return
      told = true
      const metrics = clock.metrics()
      send({ event: 'metrics', ...metrics })
      journal.turn(metrics)
    }
  }

  const open = (
    turn: number,
    tellMetrics: () => void,
    utterance: Pick<AgentUtteranceOptions, 'clock' | 'private' | 'text'>,
  ): void => {
    const opened = openAgentUtterance({
      ...options,
      ...utterance,
      language: config.voice_config.language,
      entry: transcript.begin('agent'),
      onSpoken: (characters) => journal.used({ tts_characters: characters }),
      onFirstAudio() {
        happened({ event: 'speaking', turn })
        tellMetrics()
      },
      onOver() {
        current = undefined
        tellMetrics()
        happened({ event: 'over', turn })
      },
    })
    current = { utterance: opened, tellMetrics }
  }

  const fallSilent = (silence: 'interrupt' | 'stop'): void => {
    if (current === undefined) return
    const { utterance, tellMetrics } = current
    current = undefined
    utterance[silence]()
    tellMetrics()
  }

  return {
    // It is no answer to anybody, so there is nothing to measure it by.
    greet: (turn, text) =>
      open(turn, () => {}, {
        clock: createTurnClock(),
        private: false,
        text: async function* () {
          yield text
        },
      }),
    reply(turn, clock, context) {
      const request = composeReplyRequest({
        ...{ config, background, context, messages: transcript.messages },
        ...{ steps: [], tools: [], mayCall: false },
      })
      open(turn, onceFor(clock), {
        clock,
        private: true,
        text: (signal) => replyText({ model, request, signal, used: (usage) => journal.used(usage) }),
      })
    },
    hold: () => current?.utterance.hold(),
    resume: () => current?.utterance.resume(),
    interrupt: () => fallSilent('interrupt'),
    close: () => fallSilent('stop'),
    isBusy: () => current !== undefined,
  }
}
