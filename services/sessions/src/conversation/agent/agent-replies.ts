import type { ChatMessage } from '../../llm/language-model.js'
import type { ToolRunner } from '../../tools/tool-runner.js'
import type { Background, ConversationOptions } from '../conversation.js'
import { agentReply } from './agent-reply.js'
import type { AgentUtteranceOptions } from './agent-utterance.js'
import { fillerIn } from './filler.js'
import { composeReplyRequest, noBackground } from './reply-request.js'
import type { TurnSteps } from './turn-steps.js'

export interface AgentRepliesOptions
  extends Pick<
    ConversationOptions,
    'background' | 'config' | 'findKnowledge' | 'journal' | 'model' | 'playback' | 'timeZone' | 'voiceLanguage'
  > {
  readonly runner: ToolRunner
  /** The latest context that the page reported. */
  context(): string
}

/** A turn that answers the last of `messages`, which is the user's. */
export interface ReplyTurn {
  readonly turn: number
  readonly messages: readonly ChatMessage[]
  /** The user's message. Read after the commit, which may have corrected its punctuation. */
  userText(): string
  /** The message that the reply becomes. */
  readonly messageId: string
  /** The calls of tools are added to it. */
  readonly steps: TurnSteps
}

export interface OpenedReply {
  readonly text: AgentUtteranceOptions['text']
  /** Whether what it is based on besides the messages is still the same. */
  isCurrent(): boolean
}

export type OpenReply = (turn: ReplyTurn) => OpenedReply

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
  const {
    config,
    findKnowledge,
    journal,
    model,
    playback,
    runner,
    timeZone,
    voiceLanguage: language,
    context,
  } = options
  let background: Background = noBackground
  void options.background.then((fetched) => {
    background = fetched
  })

  return ({ turn, messages, userText, messageId, steps }) => {
    const playedText = playedBeforeLast(messages)
    const basis = { background, context: context() }
    return {
      isCurrent: () => basis.background === background && basis.context === context(),
      async *text(signal, committed) {
        const passages = (await findKnowledge?.(userText(), signal)) ?? []
        signal.throwIfAborted()
        steps.found(passages)
        yield* agentReply({
          model,
          runner,
          steps,
          turn,
          messageId,
          userText,
          playedText,
          signal,
          committed,
          filler: fillerIn(language),
          compose: (mayCall) =>
            composeReplyRequest({
              config,
              background,
              timeZone,
              messages,
              passages,
              mayCall,
              context: context(),
              steps: steps.messages(),
              tools: runner.tools,
            }),
          // Tokens of a reply that is discarded are not counted.
          used: (usage) =>
            void committed.then(
              () => journal.used(usage),
              () => undefined,
            ),
          toolCalled: (call) => journal.toolCall(call),
          played: () => playback.below(nothingMs),
        })
      },
    }
  }
}
