import isEqual from 'fast-deep-equal'
import type { components } from '../../api/schema.js'
import { type AgentConfig, type AgentTool, configObjects } from '../agent.js'

/** The value of empty inputs. */
type Blank = ''

/** A tool in the form: every field of all types, JSON as text, and empty lists for null. */
export interface ToolDraft {
  readonly type: AgentTool['type']
  readonly name: string
  readonly description: string
  readonly url: string
  readonly timeout_ms: number | Blank
  readonly parameters: string
  readonly headers: string
  readonly allowed_tools: readonly string[]
  readonly agents: readonly string[]
  readonly numbers: readonly string[]
}

/** The fields that the form has: files are added and deleted at once. */
type FormConfig = Omit<AgentConfig, 'knowledge_files'>

/** The fields of an Agent in the form, at the paths of the API: texts for JSON, and blanks for null. */
export interface AgentDraft extends Omit<FormConfig, 'first_message' | 'avatar_id' | 'tools' | 'metadata'> {
  readonly first_message: string
  readonly avatar_id: string
  readonly tools: readonly ToolDraft[]
  readonly metadata: string
}

const jsonText = (value: object): string => JSON.stringify(value, null, 2)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why a text is not a JSON object; null when it is one. */
export const jsonObjectProblem = (text: string): string | null => {
  try {
    return isObject(JSON.parse(text)) ? null : 'Write a JSON object, such as {}.'
  } catch (error) {
    return `This is not JSON: ${(error as SyntaxError).message}`
  }
}

const defaultTimeoutMs = 10_000

/** A tool of this type with nothing filled in. */
export const newTool = (type: ToolDraft['type'], name = ''): ToolDraft => ({
  type,
  name,
  description: '',
  url: '',
  timeout_ms: defaultTimeoutMs,
  parameters: jsonText({ type: 'object', properties: {} }),
  headers: '{}',
  allowed_tools: [],
  agents: [],
  numbers: [],
})

const toToolDraft = (tool: AgentTool): ToolDraft => {
  const blank = newTool(tool.type, tool.name)
  switch (tool.type) {
    case 'client':
    case 'webhook':
      return { ...blank, ...tool, parameters: jsonText(tool.parameters) }
    case 'mcp':
      return { ...blank, ...tool, headers: jsonText(tool.headers), allowed_tools: tool.allowed_tools ?? [] }
    case 'builtin':
      return { ...blank, agents: tool.agents ?? [], numbers: tool.numbers ?? [] }
  }
}

const blankForNull = <Config extends object>(config: Config): Config =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, value ?? ''])) as Config

const nullForBlank = (config: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, value === '' ? null : value]))

const withoutBlank = (config: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ''))

/** The configuration alone, of an Agent or a revision. */
const configOf = (agent: FormConfig): FormConfig => ({
  slug: agent.slug,
  display_name: agent.display_name,
  description: agent.description,
  avatar_id: agent.avatar_id,
  voice_id: agent.voice_id,
  voice_config: agent.voice_config,
  system_prompt: agent.system_prompt,
  first_message: agent.first_message,
  first_message_interruptible: agent.first_message_interruptible,
  llm_provider: agent.llm_provider,
  llm_model: agent.llm_model,
  llm_config: agent.llm_config,
  stt_config: agent.stt_config,
  audio_config: agent.audio_config,
  turn_config: agent.turn_config,
  session_config: agent.session_config,
  tools: agent.tools,
  web_search_enabled: agent.web_search_enabled,
  memory_enabled: agent.memory_enabled,
  calendar_enabled: agent.calendar_enabled,
  metadata: agent.metadata,
})

/** The initial values of the form. */
export const toDraft = (agent: FormConfig): AgentDraft => {
  const config = configOf(agent)
  return {
    ...config,
    first_message: config.first_message ?? '',
    avatar_id: config.avatar_id ?? '',
    voice_config: blankForNull(config.voice_config),
    session_config: {
      ...blankForNull(config.session_config),
      public: blankForNull(config.session_config.public),
    },
    tools: config.tools.map(toToolDraft),
    metadata: jsonText(config.metadata),
  }
}

const nullForEmpty = (list: readonly string[]): string[] | null => (list.length === 0 ? null : [...list])

/** The fields that client tools and webhooks have. Throws `SyntaxError` for parameters that are not JSON. */
export const calledTool = ({ name, description, timeout_ms, parameters }: ToolDraft) => ({
  name,
  description,
  parameters: JSON.parse(parameters) as Record<string, unknown>,
  ...(timeout_ms !== '' && { timeout_ms }),
})

/** A tool in the form of the API. Throws `SyntaxError` for a text that is not JSON. */
export const toTool = (tool: ToolDraft): object => {
  const { type, name, url } = tool
  switch (type) {
    case 'client':
      return { type, ...calledTool(tool) }
    case 'webhook':
      return { type, ...calledTool(tool), url }
    case 'mcp':
      return {
        ...{ type, name, url },
        headers: JSON.parse(tool.headers) as unknown,
        allowed_tools: nullForEmpty(tool.allowed_tools),
      }
    case 'builtin':
      return {
        type,
        name,
        agents: nullForEmpty(tool.agents),
        ...(tool.numbers.length > 0 && { numbers: tool.numbers }),
      }
  }
}

/** A draft in the form of the API, where null is the default. Throws `SyntaxError` for a text that is not JSON. */
const toRequest = (draft: AgentDraft): Record<string, unknown> => ({
  ...draft,
  ...Object.fromEntries(configObjects.map((name) => [name, nullForBlank(draft[name])])),
  // An object within a config object is replaced as a whole, and what it leaves out has its default.
  session_config: { ...nullForBlank(draft.session_config), public: withoutBlank(draft.session_config.public) },
  first_message: draft.first_message === '' ? null : draft.first_message,
  avatar_id: draft.avatar_id === '' ? null : draft.avatar_id,
  tools: draft.tools.map(toTool),
  metadata: JSON.parse(draft.metadata) as unknown,
})

/** The entries of `wanted` that differ, and null for those that are not in it. */
const changedEntries = (
  standing: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const removed = Object.keys(standing).filter((name) => !Object.hasOwn(wanted, name))
  const changed = Object.entries(wanted).filter(([name, value]) => !isEqual(value, standing[name]))
  return Object.fromEntries([...changed, ...removed.map((name) => [name, null] as const)])
}

const mergedFields: readonly string[] = [...configObjects, 'metadata']

/**
 * What a request must change so that a draft becomes another one. Other fields are left out, so that changes of other
 * people are kept. Throws `SyntaxError` for a text that is not JSON.
 */
export const changesBetween = (standing: AgentDraft, wanted: AgentDraft): components['schemas']['AgentPatch'] => {
  const before = toRequest(standing)
  const changes = changedEntries(before, toRequest(wanted))
  for (const name of mergedFields) {
    const [inner, innerBefore] = [changes[name], before[name]]
    if (isObject(inner) && isObject(innerBefore)) changes[name] = changedEntries(innerBefore, inner)
  }
  return changes
}
