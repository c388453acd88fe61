import { z } from 'zod'
import { platformEnvironmentSchema } from '../../libs/runtime/dist/platform-environment.js'

export const serviceNames = [
  'gateway',
  'sessions',
  'tts',
  'auth',
  'agents',
  'tokens',
  'end-users',
  'catalog',
  'webhooks',
]

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

/** The variables of a zod schema: name, description, default, whether it must be set, and the schema of its value. */
const variablesOf = (schema) => {
  const input = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const output = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return Object.keys(schema.shape).map((name) => ({
    name,
    description: schema.shape[name].description ?? output.properties[name]?.description ?? '',
    default: defaultText(schema.shape[name], input.properties[name] ?? {}),
    isRequired: (input.required ?? []).includes(name) && !schema.shape[name].safeParse(undefined).success,
    value: valueSchema(input.properties[name] ?? {}, output.properties[name] ?? {}),
  }))
}

/** The variables that every process reads. */
export const platformVariables = variablesOf(platformEnvironmentSchema)

/** The object of each service, and the variables that only some services read. */
export const services = await Promise.all(
  serviceNames.map(async (name) => {
    const [service] = Object.values(await import(`../../services/${name}/dist/index.js`))
    const shared = new Set(platformVariables.map((variable) => variable.name))
    return { name, needs: service.needs, variables: variablesOf(service.env).filter((one) => !shared.has(one.name)) }
  }),
)
