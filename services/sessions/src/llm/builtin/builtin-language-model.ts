import { memoriesIn } from '../background-prompt.js'
import type { LanguageModel } from '../language-model.js'
import { answerByRules } from './rules.js'

/**
 * Follows a few rules, needs no account, and says so when it is asked. It answers at once, sentence by sentence; the same
 * conversation at the same time has the same reply.
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
