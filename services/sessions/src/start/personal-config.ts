import type { AgentConfig, SessionGrant } from '@parlance/contracts'
import { withoutMarks } from '../llm/prompt.js'

interface Filled {
  readonly text: string
  /** The names without a value, each once. They are removed from the text. */
  readonly unknown: readonly string[]
}

const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/**
 * Replaces each `{{name}}` by its value. Values are data: a name in a value is not replaced, and the marks that separate the
 * parts of a prompt are removed from it.
 */
export const fillVariables = (
  text: string,
  values: Readonly<Record<string, string>>,
  maxCharacters: number,
): Filled => {
  const unknown = new Set<string>()
  const filled = text.replace(variable, (_, name: string) => {
    if (Object.hasOwn(values, name)) return withoutMarks(values[name]!)
    unknown.add(name)
    return ''
  })
  return { text: filled.slice(0, maxCharacters), unknown: [...unknown] }
}

interface PersonalConfig {
  readonly config: AgentConfig
  /** Whether the first message contains values of this user, so that it must not be spoken to others. */
  readonly greetsPersonally: boolean
  /** The variables in the Agent's texts that have no value, each once. */
  readonly unknown: readonly string[]
}

/** Twice the limits of the Agent's own texts, which leaves room for the values. */
const maxCharacters = { prompt: 65_536, greeting: 4_000 }

const valuesOf = ({ variables, end_user_id }: SessionGrant, timeZone: string, now: Date): Record<string, string> => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(now)
  return {
    date: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    time: format({ hour: '2-digit', minute: '2-digit' }),
    time_zone: timeZone,
    end_user_id: end_user_id ?? '',
    ...variables,
  }
}

/** The config of an Agent for one user: its prompt and its first message with the variables of the session token. */
export const personalConfig = (
  config: AgentConfig,
  grant: SessionGrant,
  timeZone: string,
  now: Date,
): PersonalConfig => {
  const values = valuesOf(grant, timeZone, now)
  const prompt = fillVariables(config.system_prompt, values, maxCharacters.prompt)
  const greeting = fillVariables(config.first_message ?? '', values, maxCharacters.greeting)
  return {
    config: {
      ...config,
      system_prompt: prompt.text,
      first_message: greeting.text.trim() === '' ? null : greeting.text,
    },
    greetsPersonally: greeting.text !== (config.first_message ?? ''),
    unknown: [...new Set([...prompt.unknown, ...greeting.unknown])],
  }
}
