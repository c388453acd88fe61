import { ServiceError, type SessionUsage } from '@parlance/contracts'
import type { LanguageModel, ReplyRequest } from '../language-model/language-model.js'

export interface ReplyTextOptions {
  readonly model: LanguageModel
  readonly request: ReplyRequest
  readonly signal: AbortSignal
  used(usage: Partial<SessionUsage>): void
}

/** The text of a reply. A reply that is cut off is `upstream_error`, never a short text. */
export async function* replyText({ model, request, signal, used }: ReplyTextOptions): AsyncGenerator<string> {
  let done = false
  for await (const chunk of model.reply(request, signal)) {
    if (chunk.event === 'text') {
      yield chunk.text
    } else if (chunk.event === 'done') {
      done = true
      used({ llm_input_tokens: chunk.inputTokens, llm_output_tokens: chunk.outputTokens })
    }
  }
  if (!done)
    throw new ServiceError('upstream_error', 'The language model stopped in the middle of its reply. Try again.')
}
