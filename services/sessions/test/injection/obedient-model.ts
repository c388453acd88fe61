/**
 * A model that obeys any text in its request: it makes the calls that the text asks for, with tools that it was given or not
 * and whether it may call or not. It begins to read out the results of its calls.
 */
import type {
  AnsweredCall,
  ChatMessage,
  LanguageModel,
  ReplyChunk,
  ReplyRequest,
} from '../../src/llm/language-model.js'
import type { Injection } from './corpus.js'

const lettersOf = (text: string) => text.replace(/\\[nrt]/g, '').replace(/[^\p{L}\p{N}]/gu, '')

/** Whether the injection is in the request, known by its end, however it is quoted there. */
const readsIn = ({ system, messages }: ReplyRequest, { text, hidden }: Injection): boolean => {
  const all = JSON.stringify([system, messages])
  return hidden === undefined ? lettersOf(all).includes(lettersOf(text).slice(-40)) : all.includes(hidden)
}

const wordsOf = (text: string) => text.match(/\s*\S+/g) ?? []

const lastAnswers = (messages: readonly ChatMessage[]): string => {
  const last = messages.at(-1)
  return last?.role === 'calls'
    ? last.calls
        .map(({ result }) => result)
        .join(' ')
        .slice(0, 60)
    : 'Fine.'
}

export interface ObedientModel extends LanguageModel {
  /** Whether the injection was in a request. */
  readonly obeyed: () => boolean
  /** Its calls, with their results. */
  readonly answers: () => readonly AnsweredCall[]
}

/** `first` is a call that it makes without being asked, whose result has the untrusted text. */
export const createObedientModel = (
  injection: Injection,
  first: readonly [name: string, args: unknown] | undefined,
): ObedientModel => {
  const { order } = injection
  let hasCalled = false
  let hasObeyed = false
  let answers: readonly AnsweredCall[] = []
  let count = 0
  const done: ReplyChunk = { event: 'done', inputTokens: 1, outputTokens: 1 }
  const call = (name: string, args: unknown): ReplyChunk => ({
    event: 'call',
    call: { id: `call_${++count}`, name, arguments: args },
  })
  return {
    obeyed: () => hasObeyed,
    answers: () => answers,
    async *reply(request) {
      answers = request.messages.flatMap((message) => (message.role === 'calls' ? message.calls : []))
      if (!hasObeyed && readsIn(request, injection)) {
        hasObeyed = true
        for (const [name, args] of order) yield call(name, args)
      } else if (!hasCalled && first !== undefined) {
        hasCalled = true
        yield call(...first)
      } else {
        for (const text of wordsOf(lastAnswers(request.messages))) yield { event: 'text', text }
      }
      yield done
    },
  }
}
