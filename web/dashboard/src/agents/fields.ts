import { agentLimits } from '../api/agent-limits.js'
import type { Section } from './sections.js'

interface Field {
  readonly section: Section
  readonly label: string
  readonly description?: string
}

/** Every field of an Agent by its path in the API. Items of a list have the path of the list. */
export const fields = {
  display_name: { section: 'general', label: 'Name' },
  slug: {
    section: 'general',
    label: 'Slug',
    description: 'Names the Agent in code: lower-case letters, digits and hyphens.',
  },
  description: {
    section: 'general',
    label: 'Description',
    description: 'For your team, and for Agents that may transfer to this one.',
  },
  avatar_id: { section: 'general', label: 'Avatar' },
  metadata: {
    section: 'general',
    label: 'Metadata',
    description: 'A JSON object for your own programs.',
  },
  system_prompt: {
    section: 'prompt',
    label: 'System prompt',
    description: 'Who the Agent is and what it does. {{name}} stands for a variable of the session token.',
  },
  first_message: {
    section: 'prompt',
    label: 'First message',
    description: 'What the Agent says first. Without one, the user begins.',
  },
  first_message_interruptible: { section: 'prompt', label: 'The user can interrupt the first message' },
  voice_id: { section: 'voice', label: 'Voice' },
  'voice_config.tts_variant': {
    section: 'voice',
    label: 'Variant',
    description: 'Needed before the API can start conversations.',
  },
  'voice_config.language': { section: 'voice', label: 'Spoken language' },
  'voice_config.speed': { section: 'voice', label: 'Speed', description: '1 is the voice’s own pace.' },
  'voice_config.volume': { section: 'voice', label: 'Volume', description: '1 is the voice’s own loudness.' },
  llm_provider: { section: 'model', label: 'Provider' },
  llm_model: { section: 'model', label: 'Model', description: 'As the provider names it.' },
  'llm_config.temperature': {
    section: 'model',
    label: 'Temperature',
    description: '0 is most predictable, 2 most varied.',
  },
  'llm_config.max_output_tokens': {
    section: 'model',
    label: 'Longest reply',
    description: 'In tokens.',
  },
  'llm_config.timeout_ms': {
    section: 'model',
    label: 'Model timeout',
    description: 'How long the Agent waits for the model, in ms.',
  },
  'stt_config.language': {
    section: 'turns',
    label: 'Language of the user',
    description: 'A tag such as en, de or pt-BR.',
  },
  'audio_config.noise_suppression': {
    section: 'turns',
    label: 'Suppress noise',
    description: 'Removes noise from the user’s audio before it is recognized. The recording keeps it.',
  },
  'turn_config.endpointing_min_ms': {
    section: 'turns',
    label: 'Shortest pause',
    description: 'In ms. Replies begin after it when a sentence seems complete.',
  },
  'turn_config.endpointing_max_ms': {
    section: 'turns',
    label: 'Longest pause',
    description: 'In ms. Replies begin after it in any case.',
  },
  'turn_config.interruptions_enabled': { section: 'turns', label: 'The user can interrupt the Agent' },
  'turn_config.interruption_min_ms': {
    section: 'turns',
    label: 'Speech that interrupts',
    description: 'In ms. Shorter sounds only pause the Agent.',
  },
  'turn_config.false_interruption_timeout_ms': {
    section: 'turns',
    label: 'Resume after',
    description: 'In ms. The Agent continues when no words follow an interruption.',
  },
  'turn_config.preemptive': {
    section: 'turns',
    label: 'Prepare replies while the user pauses',
    description: 'Replies begin sooner. The model is also asked for replies that are then not used.',
  },
  tools: { section: 'tools', label: 'Tools' },
  'tools.name': {
    section: 'tools',
    label: 'Name',
    description: 'Letters, digits, underscores and hyphens.',
  },
  'tools.description': {
    section: 'tools',
    label: 'Description',
    description: 'Explains to the model what the tool does and when to call it.',
  },
  'tools.url': { section: 'tools', label: 'Address' },
  'tools.timeout_ms': { section: 'tools', label: 'Time limit', description: 'In ms.' },
  'tools.parameters': {
    section: 'tools',
    label: 'Parameters',
    description: 'A JSON Schema of the arguments.',
  },
  'tools.headers': {
    section: 'tools',
    label: 'Headers',
    description: 'A JSON object. Values are stored sealed and never shown again: keep what is shown in their place.',
  },
  'tools.allowed_tools': {
    section: 'tools',
    label: 'Allowed tools',
    description: 'By their names at the server. Leave empty to allow all.',
  },
  'tools.agents': {
    section: 'tools',
    label: 'Agents to transfer to',
    description: 'By their slugs. Leave empty to allow all published ones.',
  },
  'tools.numbers': {
    section: 'tools',
    label: 'Numbers to transfer to',
    description: 'With their country, such as +4930123456. In telephone calls alone.',
  },
  knowledge_files: { section: 'knowledge', label: 'Files' },
  web_search_enabled: { section: 'tools', label: 'Web search', description: 'The Agent can look things up.' },
  memory_enabled: {
    section: 'tools',
    label: 'Memory',
    description: 'The Agent remembers facts about each end user between conversations.',
  },
  calendar_enabled: {
    section: 'tools',
    label: 'Calendar',
    description: 'The Agent keeps appointments for each end user.',
  },
  'session_config.max_duration_seconds': {
    section: 'sessions',
    label: 'Longest conversation',
    description: 'In seconds.',
  },
  'session_config.silence_timeout_seconds': {
    section: 'sessions',
    label: 'End after silence',
    description: 'In seconds.',
  },
  'session_config.max_concurrent_sessions': {
    section: 'sessions',
    label: 'Conversations at the same time',
    description: 'Leave empty for no limit.',
  },
  'session_config.allowed_origins': {
    section: 'sessions',
    label: 'Allowed origins',
    description: 'Sites that may start conversations, such as https://app.example.com. Leave empty to allow any.',
  },
  'session_config.overrides': {
    section: 'sessions',
    label: 'Overrides at the start',
    description: 'What a page may replace for its conversation. Allow only what any user may choose.',
  },
  'session_config.store_transcript': { section: 'sessions', label: 'Keep transcripts' },
  'session_config.public.enabled': {
    section: 'integrate',
    label: 'Visitors may talk with the Agent',
    description: 'Pages of the origins below start conversations without a key. Memory and the calendar must be off.',
  },
  'session_config.public.origins': {
    section: 'integrate',
    label: 'Origins',
    description: 'The sites of your pages, such as https://shop.example.com.',
  },
  'session_config.public.per_address_per_hour': {
    section: 'integrate',
    label: 'Conversations an hour',
    description: 'From one address of the network.',
  },
  'session_config.public.daily_credit': {
    section: 'integrate',
    label: 'Credit a day',
    description: 'What all visitors together may use, until midnight in UTC.',
  },
} as const satisfies Readonly<Record<string, Field>>

export type FieldName = keyof typeof fields

const isFieldName = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** `tools.name` of `tools.3.name`. */
const nameOf = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, '')

/** The field of a path in the form. Throws for a path without one. */
export const fieldAt = (path: string): Field & { readonly name: FieldName } => {
  const name = nameOf(path)
  if (!isFieldName(name)) throw new Error(`no field at ${path}`)
  return { name, ...fields[name] }
}

/**
 * The path of the field that contains a path of the API: `tools.0.parameters` for `tools.0.parameters.type`. Undefined when
 * no field contains it.
 */
export const fieldPathOf = (place: string): string | undefined => {
  const parts = place.split('.')
  for (let length = parts.length; length > 0; length--) {
    const path = parts.slice(0, length).join('.')
    if (!isFieldName(nameOf(path))) continue
    // An item of a list has no field of its own.
    return path.replace(/\.\d+$/, '')
  }
  return undefined
}

interface Limits {
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly isInteger?: true
}

/** The limits of an input, from the API. */
export const inputLimitsOf = (name: FieldName) => {
  const limits: Limits | undefined = (agentLimits as Readonly<Record<string, Limits>>)[name]
  if (limits?.minimum !== undefined && limits.maximum !== undefined) {
    return { min: limits.minimum, max: limits.maximum, allowDecimal: limits.isInteger !== true }
  }
  if (limits?.maxItems !== undefined) return { maxTags: limits.maxItems }
  return limits?.maxLength === undefined ? {} : { maxLength: limits.maxLength }
}
