import type { AgentConfig } from '@parlance/contracts'
import type { ChatMessage, ReplyRequest, ToolDescription } from '../../llm/language-model.js'
import { systemPrompt } from '../../llm/prompt.js'
import type { Background } from './conversation.js'

export interface ReplyRequestOptions {
  readonly config: Pick<AgentConfig, 'system_prompt' | 'voice_config' | 'llm_config'>
  /** As far as it is known by now: no turn waits for it. */
  readonly background: Background
  /** What the page told of the situation; empty for nothing. */
  readonly context: string
  /** Oldest first. */
  readonly messages: readonly ChatMessage[]
  /** What the agent has called since the last of them, and was answered. */
  readonly steps: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
  readonly mayCall: boolean
}

/** Until it is known, and where nothing is. */
export const noBackground: Background = { memories: [], appointments: [], metadata: {} }

/**
 * What a model is asked for the next reply. The situation stands before the last message, so that what came before stays the
 * same from turn to turn.
 */
export const composeReplyRequest = (options: ReplyRequestOptions): ReplyRequest => {
  const { config, background, context, messages, steps, tools, mayCall } = options
  const situation: readonly ChatMessage[] = context === '' ? [] : [{ role: 'context', text: context }]
  const { temperature, max_output_tokens, timeout_ms } = config.llm_config
  return {
    system: systemPrompt(config, background, new Date()),
    messages: [...messages.slice(0, -1), ...situation, ...messages.slice(-1), ...steps],
    temperature,
    maxOutputTokens: max_output_tokens,
    timeoutMs: timeout_ms,
    tools,
    mayCall,
  }
}
