import type { AgentConfig, KnowledgePassage } from '@parlance/contracts'
import type { ChatMessage, ReplyRequest, ToolDescription } from '../../llm/language-model.js'
import { type PromptConfig, systemPrompt } from '../../llm/prompt.js'
import type { Background } from '../conversation.js'

export interface ReplyRequestOptions {
  readonly config: PromptConfig & Pick<AgentConfig, 'llm_config'>
  /** `noBackground` until it is fetched: no turn waits for it. */
  readonly background: Background
  /** Of the user, as an IANA name. */
  readonly timeZone: string
  /** The context that the page reported; may be empty. */
  readonly context: string
  /** What was found in the files of the Agent for the last message. */
  readonly passages: readonly KnowledgePassage[]
  /** Oldest first. */
  readonly messages: readonly ChatMessage[]
  /** The agent's tool calls since the last message, with their results. */
  readonly steps: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
  readonly mayCall: boolean
}

/** Nothing is known of the user. */
export const noBackground: Background = { memories: [], appointments: [], metadata: {} }

/**
 * The request for the next reply. The situation and the passages are placed before the last message, so that the beginning of the
 * request stays the same from turn to turn and can be cached.
 */
export const composeReplyRequest = (options: ReplyRequestOptions): ReplyRequest => {
  const { config, background, timeZone, context, passages, messages, steps, tools, mayCall } = options
  const found = passages.map(({ title, text }) => `${title}:\n${text}`).join('\n\n')
  const situation = [
    { role: 'context', text: context },
    { role: 'knowledge', text: found },
  ] as const
  const { temperature, max_output_tokens, timeout_ms } = config.llm_config
  return {
    system: systemPrompt(config, background, new Date(), timeZone),
    timeZone,
    messages: [
      ...messages.slice(0, -1),
      ...situation.filter(({ text }) => text !== ''),
      ...messages.slice(-1),
      ...steps,
    ],
    temperature,
    maxOutputTokens: max_output_tokens,
    timeoutMs: timeout_ms,
    tools,
    mayCall,
  }
}
