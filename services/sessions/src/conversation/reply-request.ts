import type { AgentConfig } from '@parlance/contracts'
import type { ChatMessage, ReplyRequest } from '../language-model/language-model.js'
import { systemPrompt } from '../language-model/prompt.js'

/**
 * What a model is asked for the next reply. The last of the messages is the user's; `context` is what the page told of the
 * situation, empty for nothing, and stands right before it.
 */
export const composeReplyRequest = (
  config: Pick<AgentConfig, 'system_prompt' | 'voice_config' | 'llm_config'>,
  messages: readonly ChatMessage[],
  context: string,
): ReplyRequest => ({
  system: systemPrompt(config, new Date()),
  messages: context === '' ? [...messages] : messages.toSpliced(-1, 0, { role: 'context', text: context }),
  temperature: config.llm_config.temperature,
  maxOutputTokens: config.llm_config.max_output_tokens,
  timeoutMs: config.llm_config.timeout_ms,
})
