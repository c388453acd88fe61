import type { ChatMessage } from '../../llm/language-model.js'
import type { ToolRunner } from '../../tools/tool-runner.js'
import type { Background, ConversationOptions } from '../conversation.js'
import type { Transcript } from '../transcript.js'
import { type AgentText, agentReply } from './agent-reply.js'
import { fillerIn } from './filler.js'
import { composeReplyRequest, noBackground } from './reply-request.js'
import type { TurnSteps } from './turn-steps.js'

export interface AgentRepliesOptions
  extends Pick<
    ConversationOptions,
    'background' | 'config' | 'journal' | 'model' | 'playback' | 'timeZone' | 'voiceLanguage'
  > {
  readonly transcript: Pick<Transcript, 'messages'>
  readonly runner: ToolRunner
  /** The latest context that the page reported. */
  context(): string
}

/** A turn that answers `userText`, which is the last message of the transcript. */
export interface ReplyTurn {
  readonly turn: number
  readonly userText: string
  /** The message that the reply becomes. */
  readonly messageId: string
  /** The calls of tools are added to it. */
  readonly steps: TurnSteps
}

export type OpenReply = (turn: ReplyTurn) => (signal: AbortSignal) => AsyncIterable<AgentText>

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

/** The replies of one conversation: the model with its prompt, its tools and what is known so far. */
export const createAgentReplies = (options: AgentRepliesOptions): OpenReply => {
  const { config, journal, model, playback, runner, timeZone, transcript, voiceLanguage: language, context } = options
  const { messages } = transcript
  let background: Background = noBackground
  void options.background.then((fetched) => {
    background = fetched
  })

  return ({ turn, userText, messageId, steps }) => {
    const playedText = playedBeforeLast(messages)
    return (signal) =>
      agentReply({
        model,
        runner,
        steps,
        turn,
        messageId,
        userText,
        playedText,
        signal,
        filler: fillerIn(language),
        compose: (mayCall) =>
          composeReplyRequest({
            config,
            background,
            timeZone,
            messages,
            mayCall,
            context: context(),
            steps: steps.messages(),
            tools: runner.tools,
          }),
        used: (usage) => journal.used(usage),
        toolCalled: (call) => journal.toolCall(call),
        played: () => playback.below(nothingMs),
      })
  }
}
