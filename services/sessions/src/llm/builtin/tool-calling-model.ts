import type { LanguageModel } from '../language-model.js'
import { callByRules, readByRules } from './tool-rules.js'

/** Calls tools and reads their results aloud by rules. `fallback` gives all other replies. */
export const createToolCallingModel = (fallback: LanguageModel, { now }: { now: () => Date }): LanguageModel => ({
  async *reply(request, signal) {
    signal.throwIfAborted()
    const call = callByRules(request, now())
    const text = readByRules(request)
    if (call === undefined && text === undefined) return yield* fallback.reply(request, signal)
    if (call !== undefined) yield { event: 'call', call }
    if (text !== undefined) yield { event: 'text', text }
    signal.throwIfAborted()
    yield { event: 'done', inputTokens: 0, outputTokens: 0 }
  },
})
