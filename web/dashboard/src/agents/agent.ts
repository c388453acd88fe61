import type { components } from '../api/schema.js'

/** What the API returns has every field; what it takes may leave some out. */
type Complete<T> = T extends readonly (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Complete<T[Key]> }
    : T

/** An Agent as the API returns it. */
export type Agent = Complete<components['schemas']['Agent']>

/** What an Agent is made of: the content of a revision. */
export type AgentConfig = Complete<components['schemas']['AgentConfig']>

export type AgentTool = AgentConfig['tools'][number]

export type Publication = components['schemas']['Publication']

/** What a check before publishing found. */
export type PublishCheck = components['schemas']['PublishCheck']
