type Schema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Resolves a reference such as `#/$defs/place` in `root`. Undefined when there is no schema at it. */
export const referencedSchema = (root: unknown, reference: string): Schema | boolean | undefined => {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let value = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step)
    if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined
    value = (value as Schema)[name]
  }
  if (typeof value === 'boolean') return value
  return isObject(value) ? value : undefined
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
  if (!isObject(schema)) return schema === true
  const keywords = Object.keys(schema)
  return keywords.length === 0 || (keywords.length === 1 && namesObject(schema.type))
}

/**
 * Whether an object may be valid against a valid JSON Schema, as the arguments of a tool must be. False is certain. True is
 * not certain: rules that only a solver could decide, such as properties that exclude each other, count as true.
 *
 * Each subschema is visited once, so the time is linear in the size of the schema, for any references.
 */
export const allowsObject = (root: Schema): boolean => {
  const known = new Map<Schema, boolean>()

  const allows = (schema: unknown): boolean => {
    if (!isObject(schema)) return schema !== false
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
    if (only !== undefined && !isObject(only)) return false
    if (listOf(choices)?.some(isObject) === false || acceptsEveryObject(not)) return false
    if (typeof reference === 'string' && !allows(referencedSchema(root, reference))) return false
    if (listOf(allOf)?.every(allows) === false) return false
    return [anyOf, oneOf].every((list) => listOf(list)?.some(allows) !== false)
  }

  return allows(root)
}
