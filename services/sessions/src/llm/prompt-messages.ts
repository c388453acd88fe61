/**
 * The conversation so far in the form that providers accept.
 *
 * - User and assistant alternate. The user is first; the last message is the user's, or contains results of calls.
 * - Each call has its result and an id of its own.
 */
import type { AnsweredCall, ChatMessage } from './language-model.js'
import { withoutMarks } from './prompt.js'

interface HistoryLimits {
  readonly messages: number
  readonly characters: number
}

const defaultLimits: HistoryLimits = { messages: 100, characters: 32_000 }

/** The characters of a message and its calls, to which the cost of reading it is roughly proportional. */
const lengthOf = (message: ChatMessage): number =>
  message.role === 'calls'
    ? message.calls.reduce(
        (sum, { arguments: given, result }) => sum + (JSON.stringify(given)?.length ?? 0) + result.length,
        message.text.length,
      )
    : message.text.length

const isOfAgent = ({ role }: ChatMessage): boolean => role === 'agent' || role === 'calls'

/**
 * The latest messages within the limits. When messages are dropped, the rest begins with the user's. The last message that is
 * not calls, and the calls after it, are kept whatever their length.
 */
export const recentMessages = <Message extends ChatMessage>(
  messages: readonly Message[],
  limits = defaultLimits,
): readonly Message[] => {
  const lastSpoken = Math.max(
    0,
    messages.findLastIndex(({ role }) => role !== 'calls'),
  )
  let characters = 0
  let from = messages.length
  while (from > 0 && (from > lastSpoken || messages.length - from < limits.messages)) {
    characters += lengthOf(messages[from - 1]!)
    if (characters > limits.characters && from <= lastSpoken) break
    from--
  }
  while (from > 0 && from < lastSpoken && isOfAgent(messages[from]!)) from++
  return messages.slice(from)
}

/** The characters that are sent of `messages`. */
export const promptCharacters = (messages: readonly ChatMessage[]): number =>
  recentMessages(messages).reduce((sum, message) => sum + lengthOf(message), 0)

const marked = (mark: 'context' | 'knowledge', text: string) => `<${mark}>\n${withoutMarks(text)}\n</${mark}>`

interface PromptCall extends AnsweredCall {
  readonly arguments: Readonly<Record<string, unknown>>
}

export type PromptMessage =
  | { readonly role: 'user' | 'assistant'; readonly text: string }
  /** The assistant's calls with their results. */
  | { readonly role: 'calls'; readonly text: string; readonly calls: readonly PromptCall[] }

/** Providers accept only objects as arguments. */
const asObject = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : { arguments: given }

/**
 * Gives each call an id that is unique and that every provider accepts: some servers give all calls the same id, and after a
 * fallback another server reads the ids of the first.
 */
const createCallIds = () => {
  const used = new Set<string>()
  return (id: string): string => {
    let own = id
    for (let count = 1; used.has(own) || !/^[\w-]{1,64}$/.test(own); count++) own = `call_${used.size + count}`
    used.add(own)
    return own
  }
}

/** The name of a call, with the characters that providers refuse replaced. */
const asName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || '_'

/** The text for the model. Marks are removed, so that a user cannot imitate the page's context or the Agent's files. */
const textOf = ({ role, text }: ChatMessage) =>
  role === 'context' || role === 'knowledge' ? marked(role, text) : withoutMarks(text).trim() || '…'

/** Adds context when the Agent spoke first or the user is silent. */
export const promptMessages = (messages: readonly ChatMessage[]): readonly PromptMessage[] => {
  const recent = recentMessages(messages.filter(({ role, text }) => role === 'calls' || text.trim() !== ''))
  const all: ChatMessage[] = [...recent]
  if (recent.length === 0) all.push({ role: 'context', text: 'The conversation begins. Say the first words.' })
  if (recent[0] !== undefined && isOfAgent(recent[0])) {
    all.unshift({ role: 'context', text: 'The conversation began with your words.' })
  }
  if (recent.at(-1)?.role === 'agent') all.push({ role: 'context', text: 'The user says nothing. Go on.' })

  const callId = createCallIds()
  const merged: PromptMessage[] = []
  for (const message of all) {
    const last = merged.at(-1)
    if (message.role === 'calls') {
      const calls = message.calls.map((call) => ({
        ...call,
        id: callId(call.id),
        name: asName(call.name),
        arguments: asObject(call.arguments),
      }))
      const before = last?.role === 'assistant' ? merged.pop()! : undefined
      const text = before === undefined ? message.text.trim() : `${before.text}\n\n${message.text.trim()}`.trim()
      merged.push({ role: 'calls', text, calls })
      continue
    }
    const role = message.role === 'agent' ? 'assistant' : 'user'
    if (last?.role === role) merged[merged.length - 1] = { role, text: `${last.text}\n\n${textOf(message)}` }
    else merged.push({ role, text: textOf(message) })
  }
  return merged
}
