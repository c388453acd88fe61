import type { AgentConfig, SessionGrant } from '@parlance/contracts'
import { fillVariables } from './fill-variables.js'

export interface PersonalConfig {
  readonly config: AgentConfig
  /** Whether the first message tells of this user: then it is for nobody else's ears. */
  readonly greetsPersonally: boolean
  /** What the Agent asks for and nobody told. */
  readonly unknown: readonly string[]
}

/** A prompt may be twice as long as it is written, and so may a first message. */
const mostCharacters = { prompt: 65_536, greeting: 4_000 }

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

/** What an Agent is for this user: its prompt and its first words with what the token tells of him. */
export const personalConfig = (
  config: AgentConfig,
  grant: SessionGrant,
  timeZone: string,
  now: Date,
): PersonalConfig => {
  const values = valuesOf(grant, timeZone, now)
  const prompt = fillVariables(config.system_prompt, values, mostCharacters.prompt)
  const greeting = fillVariables(config.first_message ?? '', values, mostCharacters.greeting)
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
