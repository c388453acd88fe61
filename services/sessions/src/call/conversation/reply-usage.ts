import type { SessionUsage } from '@parlance/contracts'
import type { ReplyRequest } from '../../llm/language-model.js'
import { promptCharacters } from '../../llm/prompt-messages.js'

/** Roughly, in English. */
const charactersPerToken = 4

/** What a reply took, where nobody told: of the request and of what came of the reply, by their characters. */
export const reckonUsage = (request: ReplyRequest, replyCharacters: number): Partial<SessionUsage> => {
  const { system, messages, tools } = request
  const described = JSON.stringify(
    tools.map(({ name, description, parameters }) => [name, description, parameters]),
  ).length
  const asked = system.length + promptCharacters(messages) + described
  return {
    llm_input_tokens: Math.ceil(asked / charactersPerToken),
    llm_output_tokens: Math.ceil(replyCharacters / charactersPerToken),
  }
}
