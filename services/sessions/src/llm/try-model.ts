import { type ModelProviderTest, ServiceError } from '@parlance/contracts'
import type { LanguageModel, ReplyRequest } from './language-model.js'

const timeoutMs = 10_000

const request: ReplyRequest = {
  system: 'This is a test of the connection. Answer with one word.',
  messages: [{ role: 'user', text: 'Say hello.' }],
  temperature: 0,
  maxOutputTokens: 64,
  timeoutMs,
  tools: [],
  mayCall: false,
}

/** The causes of these errors contain only statuses and error names, so members of the workspace may read them. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof ServiceError)) return 'The language model failed.'
  return error.cause instanceof Error ? `${error.detail} Reason: ${error.cause.message}.` : error.detail
}

/** Asks a model for one word. Never rejects. */
export const tryModel = async (model: LanguageModel): Promise<ModelProviderTest> => {
  const beganMs = performance.now()
  try {
    for await (const chunk of model.reply(request, AbortSignal.timeout(2 * timeoutMs))) {
      if (chunk.event === 'text') {
        return { ok: true, detail: '', first_text_ms: Math.round(performance.now() - beganMs) }
      }
    }
    return { ok: false, detail: 'The language model answered without text.', first_text_ms: null }
  } catch (error) {
    return { ok: false, detail: reasonOf(error), first_text_ms: null }
  }
}
