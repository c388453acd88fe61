/**
 * Checks that the parameters of a tool are a JSON Schema against which an object can be valid. The schema is untrusted, so it
 * is never compiled to code: only the meta-schema is compiled, and references are resolved here, within the document. The cost
 * is bounded: the contract limits the size of `parameters`, and this limits its depth.
 */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { allowsObject, referencedSchema } from './allows-object.js'

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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

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
