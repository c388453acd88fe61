import { isObject } from './agent-draft.js'

type Schema = Readonly<Record<string, unknown>>

const blanks: Readonly<Record<string, unknown>> = { string: '', number: 0, integer: 0, boolean: false, null: null }

/** The maximum depth to which a recursive schema is followed. */
const maxDepth = 8

const exampleOf = (schema: unknown, depth: number): unknown => {
  if (!isObject(schema) || depth >= maxDepth) return null
  const { default: standard, examples, enum: choices, const: only, type, properties } = schema
  for (const value of [standard, only]) if (value !== undefined) return value
  for (const values of [examples, choices]) if (Array.isArray(values) && values.length > 0) return values[0]
  const first = Array.isArray(type) ? type[0] : type
  if (first === 'object' || isObject(properties)) {
    const parts = Object.entries(isObject(properties) ? properties : {})
    return Object.fromEntries(parts.map(([name, part]) => [name, exampleOf(part, depth + 1)]))
  }
  if (first === 'array') return []
  return blanks[String(first)] ?? null
}

/** Initial arguments from the JSON Schema of a tool: its defaults and examples, and blanks for the rest. */
export const exampleArguments = (schema: Schema): Readonly<Record<string, unknown>> => {
  const example = exampleOf({ type: 'object', ...schema }, 0)
  return isObject(example) ? example : {}
}
