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
  extends Pick<
      ConversationOptions,
      'background' | 'config' | 'journal' | 'model' | 'playback' | 'speakSegment' | 'voiceLanguage'
    >,
    Pick<AgentUtteranceOptions, 'send' | 'onSucceeded' | 'onFailed' | 'onBroken'> {
  readonly transcript: Transcript
  readonly runner: ToolRunner
  /** What the page reported last of the situation. */
  context(): string
  dispatch(event: TurnEvent): void
}

interface Current {
  readonly utterance: AgentUtterance
  /** Once, as soon as nothing more is to be measured. */
  sendMetrics(): void
}

/** The agent's words between the user's last message and the one before. */
const playedBeforeLast = (messages: readonly ChatMessage[]): string => {
  const isUsers = ({ role }: ChatMessage) => role === 'user'
  const last = messages.findLastIndex(isUsers)
  const before = messages.slice(0, Math.max(0, last)).findLastIndex(isUsers)
  return messages
    .slice(before + 1, Math.max(0, last))
    .map(({ text }) => text)
    .join(' ')
}

/** Playback with less than this left is over. */
const nothingMs = 1

export const createAgentTurns = (options: AgentTurnsOptions): AgentTurns => {
  const { config, journal, model, playback, runner, transcript, send, dispatch, voiceLanguage: language } = options
  const { speed } = config.voice_config
  const guard = createPromptGuard({
    guidance: `${guidance}\n${backgroundGuidance}`,
    systemPrompt: config.system_prompt,
    language,
  })
  let background: Background = noBackground
  let current: Current | undefined

  void options.background.then((fetched) => {
    background = fetched
  })

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
        dispatch({ event: 'agent.audio', turn })
        sendMetrics()
      },
      onFinished() {
        current = undefined
        sendMetrics()
        dispatch({ event: 'agent.finished', turn })
      },
    })
    current = { utterance: opened, sendMetrics }
  }

  const end = (how: 'interrupt' | 'stop'): void => {
    if (current === undefined) return
    const { utterance, sendMetrics } = current
    current = undefined
    utterance[how]()
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
      const { messages } = transcript
      const playedText = playedBeforeLast(messages)
      open(turn, metricsOnce(clock), {
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
            userText,
            playedText,
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
            played: () => playback.below(nothingMs),
          }),
      })
    },
    pause: () => current?.utterance.pause(),
    resume: () => current?.utterance.resume(),
    interrupt: () => end('interrupt'),
    close: () => end('stop'),
    isBusy: () => current !== undefined,
  }
}
