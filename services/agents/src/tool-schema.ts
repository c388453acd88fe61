/**
 * Checks that the parameters of a tool are a JSON Schema against which an object can be valid. The schema is untrusted, so it
 * is never compiled to code: only the meta-schema is compiled, and references are resolved here, within the document. The cost
 * is bounded: the contract limits the size of `parameters`, and this limits its depth.
 */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

const maxDepth = 64

const options = { strict: false, logger: false } as const

/** By the value of `$schema`, without a `#` at its end. A schema without `$schema` is of the newest draft. */
const drafts = {
  'https://json-schema.org/draft/2020-12/schema': new Ajv2020(options),
  'http://json-schema.org/draft-07/schema': new Ajv(options),
} as const
const newest = 'https://json-schema.org/draft/2020-12/schema'

/** Describes the error of a schema. Returns undefined when it is valid. */
export const toolSchemaProblem = (schema: Readonly<Record<string, unknown>>): string | undefined => {
  if (!fitsInto(maxDepth, schema)) return `it is nested more than ${maxDepth} levels deep`

  const { $schema = newest } = schema
  const draft = typeof $schema === 'string' ? $schema.replace(/#$/, '') : ''
  if (!Object.hasOwn(drafts, draft)) return `its $schema must be one of ${Object.keys(drafts).join(', ')}`
  const validate = drafts[draft as keyof typeof drafts].getSchema(draft)!
  if (validate(schema) !== true) {
    const { instancePath = '', message = 'is not valid' } = validate.errors?.[0] ?? {}
    return `${instancePath} ${message}`.trim().slice(0, 200)
  }
  return flawIn(schema, schema) ?? (allowsObject(schema) ? undefined : 'no object can be valid against it')
}

const fitsInto = (levels: number, value: unknown): boolean =>
  !isObject(value) || (levels > 0 && Object.values(value).every((inner) => fitsInto(levels - 1, inner)))

/** Finds what the meta-schema does not: references without a target, and patterns that are not regular expressions. */
const flawIn = (value: unknown, root: Readonly<Record<string, unknown>>): string | undefined => {
  if (!isObject(value)) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (
      (name === '$ref' || name === '$dynamicRef') &&
      typeof inner === 'string' &&
      referencedSchema(root, inner) === undefined
    ) {
      return `the reference "${inner.slice(0, 100)}" does not refer to a schema in it`
    }
    const patterns =
      name === 'pattern' ? [inner] : name === 'patternProperties' && isObject(inner) ? Object.keys(inner) : []
    const wrong = patterns.find((pattern) => typeof pattern === 'string' && !isRegex(pattern))
    if (wrong !== undefined) return `the pattern "${String(wrong).slice(0, 100)}" is not a regular expression`
    const flaw = flawIn(inner, root)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

const isRegex = (pattern: string): boolean => {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

type Schema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const isSchemaObject = (value: unknown): value is Schema => isObject(value) && !Array.isArray(value)

/** Resolves a reference such as `#/$defs/place` in `root`. Undefined when there is no schema at it. */
const referencedSchema = (root: unknown, reference: string): Schema | boolean | undefined => {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let value = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step)
    if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined
    value = (value as Schema)[name]
  }
  if (typeof value === 'boolean') return value
  return isSchemaObject(value) ? value : undefined
}

const decodeStep = (step: string): string | undefined => {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}

const listOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)

/** Whether a type, or a list of types, names objects. */
const namesObject = (type: unknown): boolean => type === 'object' || (Array.isArray(type) && type.includes('object'))

/** Whether a schema certainly accepts every object. */
const acceptsEveryObject = (schema: unknown): boolean => {
  if (!isSchemaObject(schema)) return schema === true
  const keywords = Object.keys(schema)
  return keywords.length === 0 || (keywords.length === 1 && namesObject(schema.type))
}

/**
 * Whether an object may be valid against a valid JSON Schema, as the arguments of a tool must be. False is certain. True is
 * not certain: rules that only a solver could decide, such as properties that exclude each other, count as true.
 *
 * Each subschema is visited once, so the time is linear in the size of the schema, for any references.
 */
const allowsObject = (root: Schema): boolean => {
  const known = new Map<Schema, boolean>()

  const allows = (schema: unknown): boolean => {
    if (!isSchemaObject(schema)) return schema !== false
    const before = known.get(schema)
    if (before !== undefined) return before
    // A reference back to a schema that is being visited adds no condition.
    known.set(schema, true)
    const allowed = decide(schema)
    known.set(schema, allowed)
    return allowed
  }

  const decide = (schema: Schema): boolean => {
    const { type, const: only, enum: choices, not, allOf, anyOf, oneOf, $ref: reference } = schema
    if (type !== undefined && !namesObject(type)) return false
    if (only !== undefined && !isSchemaObject(only)) return false
    if (listOf(choices)?.some(isSchemaObject) === false || acceptsEveryObject(not)) return false
    if (typeof reference === 'string' && !allows(referencedSchema(root, reference))) return false
    if (listOf(allOf)?.every(allows) === false) return false
    return [anyOf, oneOf].every((list) => listOf(list)?.some(allows) !== false)
  }

  return allows(root)
}
