import type { AgentConfig } from '@parlance/contracts'
import type { ChatMessage, ReplyRequest } from '../language-model/language-model.js'
import { systemPrompt } from '../language-model/prompt.js'

/**
 * What a model is asked for the next reply. `context` is what the page told of the situation, empty for nothing: it stands
 * before the last message, so that what came before stays the same from turn to turn.
 */
export const composeReplyRequest = (
  config: Pick<AgentConfig, 'system_prompt' | 'voice_config' | 'llm_config'>,
  messages: readonly ChatMessage[],
  context: string,
): ReplyRequest => {
  const situation: readonly ChatMessage[] = context === '' ? [] : [{ role: 'context', text: context }]
  const { temperature, max_output_tokens, timeout_ms } = config.llm_config
  return {
    system: systemPrompt(config, new Date()),
    messages: [...messages.slice(0, -1), ...situation, ...messages.slice(-1)],
    temperature,
    maxOutputTokens: max_output_tokens,
    timeoutMs: timeout_ms,
    tools: [],
    mayCall: false,
  }
}
