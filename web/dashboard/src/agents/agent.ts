import type { components } from '../api/schema.js'

/** Responses of the API have every field; requests may leave some out. */
type Complete<T> = T extends readonly (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Complete<T[Key]> }
    : T

/** An Agent as the API returns it. */
export type Agent = Complete<components['schemas']['Agent']>

/** The configuration of an Agent: the content of a revision. */
export type AgentConfig = Complete<components['schemas']['AgentConfig']>

/** The fields of a configuration that are objects with fields of their own, besides the metadata. */
export const configObjects = [
  'voice_config',
  'llm_config',
  'stt_config',
  'audio_config',
  'turn_config',
  'session_config',
] as const satisfies readonly (keyof AgentConfig)[]

export type AgentTool = AgentConfig['tools'][number]

export type Publication = components['schemas']['Publication']

/** The result of a check before publishing. */
export type PublishCheck = components['schemas']['PublishCheck']
