import isEqual from 'fast-deep-equal'
import { type AgentConfig, configObjects } from '../agent.js'
import { type FieldName, fields } from '../fields.js'

/** A field that differs between two configurations. The texts are for people. */
export interface Difference {
  readonly path: string
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The fields one by one: those of config objects and of the metadata, and each tool by its name. */
const fieldsOf = (config: AgentConfig): ReadonlyMap<string, unknown> =>
  new Map(
    (Object.keys(fields) as FieldName[]).flatMap((name): (readonly [string, unknown])[] => {
      if (name === 'tools') return config.tools.map((tool) => [`tools.${tool.name}`, tool])
      if (name === 'metadata') return Object.entries(config.metadata).map(([key, value]) => [`metadata.${key}`, value])
      const [head, ...inner] = name.split('.')
      if (inner.length > 0 && !configObjects.some((object) => object === head)) return []
      return [
        [name, name.split('.').reduce((object, key) => (object as Record<string, unknown>)[key]!, config as unknown)],
      ]
    }),
  )

const labelOf = (path: string): string => {
  const [head, ...rest] = path.split('.')
  if (head === 'tools') return `Tool ${rest.join('.')}`
  if (head === 'metadata') return `Metadata ${rest.join('.')}`
  return fields[path as FieldName].label
}

/** A value as text. `names` has the names of voices and avatars by their ids. */
const textOf = (value: unknown, names: ReadonlyMap<string, string>): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** The differences, in the order of the editor. */
export const configDifferences = (
  before: AgentConfig,
  after: AgentConfig,
  names: ReadonlyMap<string, string>,
): Difference[] => {
  const [old, recent] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...recent.keys(), ...old.keys()])]
    .filter((path) => !isEqual(old.get(path), recent.get(path)))
    .map((path) => ({
      path,
      label: labelOf(path),
      before: textOf(old.get(path), names),
      after: textOf(recent.get(path), names),
    }))
}
