/** The rules by which the built-in model calls tools and reads their results aloud. */
import type { AnsweredCall, ReplyRequest, ToolCall, ToolDescription } from '../language-model.js'
import { plainWords } from './plain-words.js'
import { spokenNumber } from './spoken-sum.js'

interface ToolRule {
  readonly tool: string
  readonly when: RegExp
  argumentsOf(match: RegExpExecArray, now: Date): Readonly<Record<string, unknown>>
  /** The result as a sentence. */
  read(result: string): string
}

const dayMs = 24 * 3_600_000
const maxSpokenCharacters = 400

/** Cut at the end of a word, so that it is not too long to listen to. */
const shortened = (text: string): string =>
  text.length <= maxSpokenCharacters ? text : `${text.slice(0, maxSpokenCharacters).replace(/\s\S*$/, '')} …`
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** The first result of a web search. */
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

/** The call that the user's last message asks for; undefined when there is none. */
export const callByRules = ({ messages, tools, mayCall }: ReplyRequest, now: Date): ToolCall | undefined => {
  const last = messages.findLast(({ role }) => role !== 'context')
  if (!mayCall || last?.role !== 'user') return undefined
  const words = plainWords(last.text)
  for (const { tool: name, when, argumentsOf } of rules) {
    const match = tools.some((tool) => tool.name === name) ? when.exec(words) : null
    if (match !== null) return { id: `${name}_${messages.length}`, name, arguments: argumentsOf(match, now) }
  }
  const named = tools.flatMap((tool) => {
    const match = new RegExp(`\\b(?:call|use|run|try)(?: the)?(?: tool)? ${spelled(tool.name)}\\b(.*)$`).exec(words)
    return match === null ? [] : [{ tool, rest: match[1]!.trim() }]
  })[0]
  if (named === undefined) return undefined
  const { name } = named.tool
  return { id: `${name}_${messages.length}`, name, arguments: namedArguments(named.tool, named.rest) }
}

/** A name as it is spoken. Names of tools and of arguments have no characters that a regular expression treats specially. */
const spelled = (name: string): string => plainWords(name.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))

/** The arguments of "call open page with path cart": each name is followed by its value, up to the next name. */
const namedArguments = ({ parameters }: ToolDescription, rest: string): Record<string, unknown> => {
  const properties = Object.entries((parameters.properties ?? {}) as Readonly<Record<string, { type?: unknown }>>)
  const places = properties
    .map(([name, { type }]) => ({ name, type, words: spelled(name), at: ` ${rest} `.indexOf(` ${spelled(name)} `) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  return Object.fromEntries(
    places.map(({ name, type, words, at }, index) => {
      const value = rest
        .slice(at + words.length, places[index + 1]?.at)
        .replace(/ and\s*$/, '')
        .trim()
      const number = type === 'number' || type === 'integer' ? spokenNumber(value.split(/[ -]+/)) : undefined
      return [name, number ?? value]
    }),
  )
}

/** The results of the last calls as sentences; undefined when the last message holds no calls. */
export const readByRules = ({ messages }: ReplyRequest): string | undefined => {
  const last = messages.at(-1)
  return last?.role === 'calls' ? last.calls.map(spoken).join(' ') : undefined
}

const spoken = ({ name, result, isError }: AnsweredCall): string => {
  const rule = isError ? undefined : rules.find(({ tool }) => tool === name)
  const text = sentence(shortened((rule?.read(result) ?? result).replace(/\s+/g, ' ').trim()))
  return isError ? `That did not work. ${text}` : text
}
