import type { Handlers } from '@parlance/bus'
import { type Contract, type Method, ServiceError } from '@parlance/contracts'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

const formats: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-31T09:30:00.000Z',
  uri: 'https://example.com',
}

const valueFor = (schema: JsonSchema): unknown => {
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (options !== undefined) return valueFor(options.find(({ type }) => type === 'null') ?? options[0]!)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, valueFor(schema.properties![name] as JsonSchema)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => valueFor(schema.items as JsonSchema))
    case 'string':
      return formats[schema.format ?? ''] ?? 'a'.repeat(schema.minLength ?? 0)
    case 'number':
    case 'integer':
      return schema.minimum ?? 0
    default:
      return schema.type === 'boolean' ? false : null
  }
}

/** A small value of the schema, for the fields that a test does not state. Throws where the schema has rules of its own. */
export const sampleOf = <S extends z.ZodType>(schema: S, stated: Partial<z.output<S>> = {}): z.output<S> =>
  schema.parse({ ...(valueFor(z.toJSONSchema(schema, { unrepresentable: 'any' })) as object), ...(stated as object) })

/**
 * The handlers of a fake service: those that a test states. Other calls are answered with a small reply of the contract, and streams
 * fail.
 */
export const fakeHandlers = <C extends Contract>(contract: C, stated: Partial<Handlers<C>>): Handlers<C> => {
  const derived = Object.entries<Method>(contract.methods).map(([name, method]) => {
    const handle = () => {
      if (method.kind === 'call') return sampleOf(method.reply)
      throw new ServiceError('internal_error', `The fake of ${contract.name}.${name} has no handler.`)
    }
    return [name, handle]
  })
  return { ...Object.fromEntries(derived), ...stated }
}
