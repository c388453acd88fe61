import type { LanguageModel } from '../language-model.js'
import { memoriesIn } from '../prompt.js'
import { answerByRules } from './rules.js'
import { callByRules, readByRules } from './tool-rules.js'

/**
 * A demonstration without a language model: a few rules, which need no account and do not read the Agent's prompt. It replies at
 * once, sentence by sentence. The reply depends only on the request and the time.
 */
export const builtinLanguageModel: LanguageModel = {
  async *reply(request, signal) {
    signal.throwIfAborted()
    const { system, messages, timeZone = 'UTC' } = request
    const now = new Date()
    const call = callByRules(request, now)
    const text =
      call === undefined
        ? (readByRules(request) ?? answerByRules(messages, { now, timeZone, memories: memoriesIn(system) }))
        : ''
    if (call !== undefined) yield { event: 'call', call }
    for (const sentence of text.match(/.+?[.?!](?:\s+|$)|.+$/gs) ?? []) {
      yield { event: 'text', text: sentence }
      signal.throwIfAborted()
    }
    yield { event: 'done', inputTokens: 0, outputTokens: 0 }
  },
}
