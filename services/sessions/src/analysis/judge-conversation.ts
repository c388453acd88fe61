/** Judges a conversation by a language model. An answer in another form is returned to the model once, to be repaired. */
import { type Evaluation, ServiceError, type SessionUsage } from '@parlance/contracts'
import type { ChatMessage, LanguageModel } from '../llm/language-model.js'
import { parseAnswer } from './analysis-answer.js'
import { instructions, type JudgedConversation, questionOf } from './analysis-prompt.js'
import type { AnalysisResult } from './analysis-repository.js'

export interface JudgeConversationOptions {
  readonly model: LanguageModel
  readonly evaluation: Evaluation
  readonly conversation: JudgedConversation
  readonly signal: AbortSignal
  /** Called after each answer of the model. */
  used(usage: Partial<SessionUsage>): void
}

/** The model gave no answer in the required form. Another attempt is no more likely to succeed. */
export class UnusableAnswerError extends Error {}

const answerTimeoutMs = 20_000
const maxAnswerCharacters = 100_000
const outputTokens = { base: 512, perItem: 128, max: 8_192 }

const repairOf = (problem: string): string =>
  `Your answer cannot be used: ${problem.slice(0, 2_000)}\nAnswer again with the whole JSON object and with nothing else.`

/** Rejects with `UnusableAnswerError`, with `ServiceError` of the model, or with the signal's reason. */
export const judgeConversation = async (options: JudgeConversationOptions): Promise<AnalysisResult> => {
  const { model, evaluation, conversation, signal, used } = options
  const items = evaluation.criteria.length + evaluation.data.length
  const maxOutputTokens = Math.min(outputTokens.max, outputTokens.base + outputTokens.perItem * items)

  const ask = async (messages: readonly ChatMessage[]): Promise<string> => {
    const limits = { temperature: 0, maxOutputTokens, timeoutMs: answerTimeoutMs }
    let answer = ''
    let done = false
    for await (const chunk of model.reply(
      { system: instructions, messages, ...limits, tools: [], mayCall: false },
      signal,
    )) {
      if (chunk.event === 'text' && answer.length < maxAnswerCharacters) answer += chunk.text
      if (chunk.event !== 'done') continue
      done = true
      used({ llm_input_tokens: chunk.inputTokens, llm_output_tokens: chunk.outputTokens })
    }
    if (!done) throw new ServiceError('upstream_error', 'The language model stopped in the middle of its answer.')
    return answer
  }

  const question: ChatMessage = { role: 'user', text: questionOf(evaluation, conversation) }
  const answer = await ask([question])
  const first = parseAnswer(evaluation, answer)
  if ('result' in first) return first.result
  const repair: ChatMessage = { role: 'user', text: repairOf(first.problem) }
  const second = parseAnswer(evaluation, await ask([question, { role: 'agent', text: answer || '(nothing)' }, repair]))
  if ('result' in second) return second.result
  throw new UnusableAnswerError('The language model did not answer in the requested format, twice.')
}
