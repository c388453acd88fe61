import type { SessionUsage } from '@parlance/contracts'
import type { ReplyRequest } from '../../llm/language-model.js'
import { promptCharacters } from '../../llm/prompt-messages.js'

/** Roughly, in English. */
const charactersPerToken = 4

/** The tokens of a reply that was aborted, estimated from the characters of the request and of the text that came. */
export const estimateUsage = (request: ReplyRequest, replyCharacters: number): Partial<SessionUsage> => {
  const { system, messages, tools } = request
  const toolCharacters = JSON.stringify(
    tools.map(({ name, description, parameters }) => [name, description, parameters]),
  ).length
  const requestCharacters = system.length + promptCharacters(messages) + toolCharacters
  return {
    llm_input_tokens: Math.ceil(requestCharacters / charactersPerToken),
    llm_output_tokens: Math.ceil(replyCharacters / charactersPerToken),
  }
}
