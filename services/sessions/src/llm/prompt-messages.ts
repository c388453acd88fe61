/**
 * What was said so far, as providers take it.
 *
 * - User and assistant take turns, and the user is the first; the last is the user, or what the assistant has just been answered.
 * - A call stands with its result, under an id that no other call has, or neither is there.
 */
import type { AnsweredCall, ChatMessage } from './language-model.js'
import { withoutMarks } from './marks.js'

export interface HistoryLimits {
  readonly messages: number
  readonly characters: number
}

const defaultLimits: HistoryLimits = { messages: 100, characters: 32_000 }

/** Of what the model gave and was given, in characters: roughly what it costs to read it. */
const lengthOf = (message: ChatMessage): number =>
  message.role === 'calls'
    ? message.calls.reduce(
        (sum, { arguments: given, result }) => sum + (JSON.stringify(given)?.length ?? 0) + result.length,
        message.text.length,
      )
    : message.text.length

const isOfAgent = ({ role }: ChatMessage): boolean => role === 'agent' || role === 'calls'

/**
 * The latest that fit, beginning with what the user said if anything had to go. The last that was said is kept with all that
 * was called since, however long it is.
 */
export const recentMessages = (messages: readonly ChatMessage[], limits = defaultLimits): readonly ChatMessage[] => {
  const lastSaid = Math.max(
    0,
    messages.findLastIndex(({ role }) => role !== 'calls'),
  )
  let characters = 0
  let from = messages.length
  while (from > 0 && (from > lastSaid || messages.length - from < limits.messages)) {
    characters += lengthOf(messages[from - 1]!)
    if (characters > limits.characters && from <= lastSaid) break
    from--
  }
  while (from > 0 && from < lastSaid && isOfAgent(messages[from]!)) from++
  return messages.slice(from)
}

/** Of what is sent of them. */
export const promptCharacters = (messages: readonly ChatMessage[]): number =>
  recentMessages(messages).reduce((sum, message) => sum + lengthOf(message), 0)

const asContext = (text: string) => `<context>\n${withoutMarks(text)}\n</context>`

export interface PromptCall extends AnsweredCall {
  readonly arguments: Readonly<Record<string, unknown>>
}

export type PromptMessage =
  | { readonly role: 'user' | 'assistant'; readonly text: string }
  /** Of the assistant, and the answer. */
  | { readonly role: 'calls'; readonly text: string; readonly calls: readonly PromptCall[] }

/** Providers take nothing else for arguments, whatever the model made up. */
const asObject = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : { arguments: given }

/** Servers name calls each in its own way, some call them all the same, and what one has said another may have to read. */
const createCallIds = () => {
  const used = new Set<string>()
  return (id: string): string => {
    let own = id
    for (let count = 1; used.has(own) || !/^[\w-]{1,64}$/.test(own); count++) own = `call_${used.size + count}`
    used.add(own)
    return own
  }
}

/** A name that a model made up is shown to it as one that providers take. */
const asName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || '_'

/** Nobody who talks speaks for the page. What was nothing but a mark is still a message. */
const wordsOf = ({ role, text }: ChatMessage) =>
  role === 'context' ? asContext(text) : withoutMarks(text).trim() || '…'

/** Where the agent spoke first or the user is silent, that is told as context. */
export const promptMessages = (messages: readonly ChatMessage[]): readonly PromptMessage[] => {
  const said = recentMessages(messages.filter(({ role, text }) => role === 'calls' || text.trim() !== ''))
  const all: ChatMessage[] = [...said]
  if (said.length === 0) all.push({ role: 'context', text: 'The conversation begins. Say the first words.' })
  if (said[0] !== undefined && isOfAgent(said[0])) {
    all.unshift({ role: 'context', text: 'The conversation began with your words.' })
  }
  if (said.at(-1)?.role === 'agent') all.push({ role: 'context', text: 'The user says nothing. Go on.' })

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
    if (last?.role === role) merged[merged.length - 1] = { role, text: `${last.text}\n\n${wordsOf(message)}` }
    else merged.push({ role, text: wordsOf(message) })
  }
  return merged
}
