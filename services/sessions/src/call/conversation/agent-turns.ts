import { backgroundGuidance } from '../../llm/background-prompt.js'
import type { ChatMessage } from '../../llm/language-model.js'
import { guidance } from '../../llm/prompt.js'
import { createPromptGuard } from '../../llm/prompt-guard.js'
import type { ToolRunner } from '../../tools/tool-runner.js'
import type { TurnEvent } from '../../turn/turn-event.js'
import { agentReply } from './agent-reply.js'
import { type AgentUtterance, type AgentUtteranceOptions, openAgentUtterance } from './agent-utterance.js'
import type { Background, ConversationOptions } from './conversation.js'
import { fillerIn } from './filler.js'
import { composeReplyRequest, noBackground } from './reply-request.js'
import type { Transcript, TranscriptEntryOptions } from './transcript.js'
import { createTurnClock, type TurnClock } from './turn-clock.js'
import { createTurnSteps } from './turn-steps.js'

/** What the agent says, one turn at a time. */
export interface AgentTurns {
  greet(turn: number, text: string): void
  /** Answers the last message, which is what the user said. */
  reply(turn: number, clock: TurnClock, said: string): void
  hold(): void
  resume(): void
  /** The user has interrupted it. */
  interrupt(): void
  /** The conversation has ended. */
  close(): void
  isBusy(): boolean
}

export interface AgentTurnsOptions
  extends Pick<
      ConversationOptions,
      'background' | 'config' | 'journal' | 'model' | 'playout' | 'speakSegment' | 'voiceLanguage'
    >,
    Pick<AgentUtteranceOptions, 'send' | 'onSucceeded' | 'onFailed' | 'onBroken'> {
  readonly transcript: Transcript
  readonly runner: ToolRunner
  /** What the page told last of the situation. */
  context(): string
  happened(event: TurnEvent): void
}

interface Current {
  readonly utterance: AgentUtterance
  /** What is measured is told once, as soon as nothing more is to come. */
  tellMetrics(): void
}

/** The agent's words between what the user said last and what he said before. */
const heardBeforeLast = (messages: readonly ChatMessage[]): string => {
  const isUsers = ({ role }: ChatMessage) => role === 'user'
  const last = messages.findLastIndex(isUsers)
  const before = messages.slice(0, Math.max(0, last)).findLastIndex(isUsers)
  return messages
    .slice(before + 1, Math.max(0, last))
    .map(({ text }) => text)
    .join(' ')
}

/** Less than this is no audio. */
const nothingMs = 1

export const createAgentTurns = (options: AgentTurnsOptions): AgentTurns => {
  const { config, journal, model, playout, runner, transcript, send, happened, voiceLanguage: language } = options
  const { speed } = config.voice_config
  const guard = createPromptGuard({
    guidance: `${guidance}\n${backgroundGuidance}`,
    systemPrompt: config.system_prompt,
    language,
  })
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
    utterance: Pick<AgentUtteranceOptions, 'clock' | 'private' | 'text'> & Pick<TranscriptEntryOptions, 'steps'>,
  ): void => {
    const opened = openAgentUtterance({
      ...options,
      ...utterance,
      language,
      speed,
      entry: transcript.begin('agent', utterance),
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
          yield { event: 'text', text }
        },
      }),
    reply(turn, clock, said) {
      const steps = createTurnSteps()
      const { messages } = transcript
      const heard = heardBeforeLast(messages)
      open(turn, onceFor(clock), {
        clock,
        private: true,
        steps,
        text: (signal) =>
          agentReply({
            model,
            runner,
            guard,
            steps,
            turn,
            said,
            heard,
            signal,
            filler: fillerIn(language),
            compose: (mayCall) =>
              composeReplyRequest({
                config,
                background,
                messages,
                mayCall,
                context: options.context(),
                steps: steps.messages(),
                tools: runner.tools,
              }),
            used: (usage) => journal.used(usage),
            quiet: () => playout.below(nothingMs),
          }),
      })
    },
    hold: () => current?.utterance.hold(),
    resume: () => current?.utterance.resume(),
    interrupt: () => fallSilent('interrupt'),
    close: () => fallSilent('stop'),
    isBusy: () => current !== undefined,
  }
}
