/** Where the built-in conversationalist calls a tool, and how it reads aloud what it was answered. */
import type { AnsweredCall, ReplyRequest, ToolCall } from '../language-model.js'
import { plainWords } from './plain-words.js'

interface ToolRule {
  readonly tool: string
  readonly when: RegExp
  argumentsOf(match: RegExpExecArray, now: Date): Readonly<Record<string, unknown>>
  /** What was answered, as a sentence. */
  read(result: string): string
}

const dayMs = 24 * 3_600_000
const maxSpokenCharacters = 400

/** As far as somebody listens, to the end of a word. */
const shortened = (text: string): string =>
  text.length <= maxSpokenCharacters ? text : `${text.slice(0, maxSpokenCharacters).replace(/\s\S*$/, '')} …`
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Of what a web search found, the first. */
const readFound = (result: string): string => {
  try {
    const [found] = JSON.parse(result.slice(result.indexOf('['))) as readonly Readonly<Record<string, string>>[]
    return `I found this on ${found!.site}: ${found!.text || found!.title}`
  } catch {
    return result
  }
}

/** Lines such as `- "Dentist", Friday 2026-03-20 09:30 to 10:30 (event_id …)`. */
const readEvents = (result: string): string => {
  const events = result.split('\n').filter((line) => line.startsWith('- '))
  if (events.length === 0) return result
  const spoken = events.map((line) =>
    line
      .slice(2)
      .replace(/ \(event_id [^)]*\)$/, '')
      .replaceAll('"', '')
      .replaceAll(/ \d{4}-\d{2}-\d{2} /g, ' at '),
  )
  return `You have ${spoken.join('; ')}`
}

const rules: readonly ToolRule[] = [
  {
    tool: 'web_search',
    when: /\b(?:search (?:the (?:web|internet)|online)(?: for)?|search for|look up) (.{1,200})$/,
    argumentsOf: ([, query]) => ({ query }),
    read: readFound,
  },
  {
    tool: 'calendar_list',
    when: /\b(?:my (?:calendar|schedule|agenda|appointments)|what do i have)\b(?:.*\b(today|tomorrow|week)\b)?/,
    argumentsOf([, when], now) {
      const from = now.getTime() + (when === 'tomorrow' ? dayMs : 0)
      const to = when === 'week' ? from + 6 * dayMs : from
      return { from: dayOf(from), to: dayOf(to) }
    },
    read: readEvents,
  },
]

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** What the user plainly asks to be called, where it can be. */
export const callByRules = ({ messages, tools, mayCall }: ReplyRequest, now: Date): ToolCall | undefined => {
  const last = messages.findLast(({ role }) => role !== 'context')
  if (!mayCall || last?.role !== 'user') return undefined
  const words = plainWords(last.text)
  for (const { tool: name, when, argumentsOf } of rules) {
    const match = tools.some((tool) => tool.name === name) ? when.exec(words) : null
    if (match !== null) return { id: `${name}_${messages.length}`, name, arguments: argumentsOf(match, now) }
  }
  return undefined
}

/** Of the calls that were just answered; undefined where none was. */
export const readByRules = ({ messages }: ReplyRequest): string | undefined => {
  const last = messages.at(-1)
  return last?.role === 'calls' ? last.calls.map(spoken).join(' ') : undefined
}

const spoken = ({ name, result, isError }: AnsweredCall): string => {
  const rule = isError ? undefined : rules.find(({ tool }) => tool === name)
  const text = sentence(shortened((rule?.read(result) ?? result).replace(/\s+/g, ' ').trim()))
  return isError ? `That did not work. ${text}` : text
}
