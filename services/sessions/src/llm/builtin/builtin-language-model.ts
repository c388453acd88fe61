import { memoriesIn } from '../background-prompt.js'
import type { LanguageModel } from '../language-model.js'
import { answerByRules } from './rules.js'

/**
 * A language model of a few rules, which needs no account. It replies at once, sentence by sentence. The reply depends on the
 * conversation and the time only.
 */
export const createBuiltinLanguageModel = ({ now }: { now: () => Date }): LanguageModel => ({
  async *reply({ system, messages }, signal) {
    signal.throwIfAborted()
    for (const text of answerByRules(messages, now(), memoriesIn(system)).match(/.+?[.?!](?:\s+|$)|.+$/gs) ?? []) {
      yield { event: 'text', text }
      signal.throwIfAborted()
    }
    yield { event: 'done', inputTokens: 0, outputTokens: 0 }
  },
})
