import type { AgentConfig } from '@parlance/contracts'
import type { ChatMessage, ReplyRequest } from '../language-model/language-model.js'

/** What a model is asked for the next reply; `context` is what the page told of the situation, empty for nothing. */
export const composeReplyRequest = (
  { system_prompt, llm_config }: Pick<AgentConfig, 'system_prompt' | 'llm_config'>,
  messages: readonly ChatMessage[],
  context: string,
): ReplyRequest => ({
  system: context === '' ? system_prompt : `${system_prompt}\n\n<context>\n${context}\n</context>`,
  messages: [...messages],
  temperature: llm_config.temperature,
  maxOutputTokens: llm_config.max_output_tokens,
  timeoutMs: llm_config.timeout_ms,
})
