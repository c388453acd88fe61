/**
 * Checks arguments against a tool's JSON Schema. Schemas come from workspaces and arguments from models, so neither may block
 * the event loop: schemas are interpreted and never compiled, the number of steps is limited, and `pattern` is ignored, since
 * one pattern can run forever.
 */

/** Limits of one check, which end a schema that refers to itself. What is beyond them is not checked. */
const maxSteps = 2_000
const maxDepth = 64

type Schema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

/** The schema of a reference such as `#/$defs/place`; `true`, which allows any value, when there is none. */
const resolve = (root: unknown, reference: string): unknown => {
  if (!reference.startsWith('#')) return true
  let value = root
  for (const step of reference.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return true
    value = (value as Schema)[name]
  }
  return value
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other)

/** The first problem of the arguments in words for the model; undefined when none was found. */
export const argumentProblem = (root: Schema, value: unknown): string | undefined => {
  let steps = 0
  let depth = 0

  const check = (schema: unknown, inner: unknown, path: string): string | undefined => {
    if (schema === false) return `${path} must not be there`
    if (!isObject(schema) || ++steps > maxSteps || depth >= maxDepth) return undefined
    depth += 1
    const { $ref: reference } = schema
    const problem = typeof reference === 'string' ? check(resolve(root, reference), inner, path) : undefined
    const found = problem ?? ofType(schema, inner, path) ?? ofValue(schema, inner, path) ?? ofParts(schema, inner, path)
    depth -= 1
    return found
  }

  const ofType = ({ type }: Schema, inner: unknown, path: string): string | undefined => {
    const types = typeof type === 'string' ? [type] : listOf(type).filter((name) => typeof name === 'string')
    const fits = types.length === 0 || types.some((name) => typeTests[name]?.(inner) ?? true)
    return fits ? undefined : `${path} must be of the type ${types.join(' or ')}`
  }

  const ofValue = (schema: Schema, inner: unknown, path: string): string | undefined => {
    const { enum: choices, const: only, anyOf, oneOf, allOf } = schema
    if (Array.isArray(choices) && !choices.some((choice) => isSame(choice, inner))) {
      return `${path} must be one of ${JSON.stringify(choices).slice(0, 300)}`
    }
    if (only !== undefined && !isSame(only, inner)) return `${path} must be ${JSON.stringify(only).slice(0, 300)}`
    for (const choice of [anyOf, oneOf]) {
      const problems = listOf(choice).map((one) => check(one, inner, path))
      if (problems.length > 0 && !problems.includes(undefined)) return problems[0]
    }
    for (const each of listOf(allOf)) {
      const problem = check(each, inner, path)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  const ofSize = (schema: Schema, size: number, minKey: string, maxKey: string, what: string): string | undefined => {
    const { [minKey]: min, [maxKey]: max } = schema
    if (typeof min === 'number' && size < min) return `${what} must be at least ${min}`
    if (typeof max === 'number' && size > max) return `${what} must be at most ${max}`
    return undefined
  }

  const ofParts = (schema: Schema, inner: unknown, path: string): string | undefined => {
    if (typeof inner === 'number') return ofSize(schema, inner, 'minimum', 'maximum', path)
    if (typeof inner === 'string')
      return ofSize(schema, inner.length, 'minLength', 'maxLength', `the length of ${path}`)
    if (Array.isArray(inner)) {
      const problem = ofSize(schema, inner.length, 'minItems', 'maxItems', `the number of items of ${path}`)
      return problem ?? first(inner.entries(), ([at, item]) => check(schema.items, item, `${path}[${at}]`))
    }
    return isObject(inner) ? ofProperties(schema, inner, path) : undefined
  }

  const ofProperties = (schema: Schema, inner: Schema, path: string): string | undefined => {
    const { properties, required, additionalProperties, patternProperties } = schema
    const known = isObject(properties) ? properties : {}
    const missing = listOf(required).find((name) => typeof name === 'string' && !Object.hasOwn(inner, name))
    if (missing !== undefined) return `${path}.${missing} is missing`
    const others = patternProperties === undefined ? additionalProperties : true
    return first(Object.entries(inner), ([name, part]) =>
      check(Object.hasOwn(known, name) ? known[name] : others, part, `${path}.${name.slice(0, 64)}`),
    )
  }

  return isObject(value) ? check(root, value, 'arguments') : 'the arguments must be a JSON object'
}

const first = <Item>(items: Iterable<Item>, problemOf: (item: Item) => string | undefined): string | undefined => {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
