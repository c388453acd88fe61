import { z } from 'zod'
import { platformEnvironmentSchema } from '../../libs/runtime/dist/platform-environment.js'
import { services as registry } from '../../services/standalone/dist/index.js'

/** The value of a variable as a JSON schema without its description. Anything that JSON Schema cannot express is a string. */
const valueSchema = (input, output) => {
  const {
    description,
    default: unset,
    defaultText: text,
    ...schema
  } = 'type' in output || 'enum' in output ? output : input
  const isScalar = ['string', 'integer', 'number', 'boolean'].includes(schema.type)
  return isScalar ? schema : { type: 'string' }
}

/** The value of a variable that is not set, as it would be written. A value that was parsed into an object has no text. */
const defaultText = (schema, input) => {
  const value = input.defaultText ?? input.default ?? schema.safeParse(undefined).data
  if (Array.isArray(value)) return value.join(',')
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/**
 * The variables of a zod schema: name, description, default, whether a service without any variable asks for it, and the schema of
 * its value. Throws for one that is not described.
 */
const variablesOf = (schema) => {
  const input = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const output = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const missing = new Set(schema.safeParse({}).error?.issues.map(({ path: [name] }) => name))
  return Object.keys(schema.shape).map((name) => {
    const description = schema.shape[name].description ?? output.properties[name]?.description
    if (!description) throw new Error(`${name} has no description.`)
    return {
      name,
      description,
      default: defaultText(schema.shape[name], input.properties[name] ?? {}),
      isRequired: missing.has(name),
      value: valueSchema(input.properties[name] ?? {}, output.properties[name] ?? {}),
    }
  })
}

/** The variable with the address of each server that a service needs. */
export const addressOf = { bus: 'NATS_URL', ttl: 'REDIS_URL', database: 'DATABASE_URL' }

/** The variables that every process reads. */
export const platformVariables = variablesOf(platformEnvironmentSchema)

const shared = new Set(platformVariables.map(({ name }) => name))

/** The services by name: what each needs, and the variables that not every process reads. */
export const services = registry
  .map(({ name, needs, env }) => ({
    name,
    needs,
    variables: variablesOf(env).filter((variable) => !shared.has(variable.name)),
  }))
  .sort((one, other) => one.name.localeCompare(other.name))
