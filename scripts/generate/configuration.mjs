import { addressOf, platformVariables, services } from './variables.mjs'

const introduction = `# Variables

Every variable that a service reads. An empty variable counts as not set. A service that misses a variable, or finds one that is
not valid, prints its name and does not start. How they work together is described in [deploy/README.md](../deploy/README.md);
in Kubernetes the chart sets them ([install.md](install.md)).

<!-- Written by \`npm run generate\` from the sources. -->
`

const rangeOf = ({ minimum, maximum, enum: choices, type }) => {
  if (choices !== undefined) return choices.join(', ')
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return type === 'boolean' ? 'true or false' : ''
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`

const row = ({ name, description, default: unset, isRequired, value }) => {
  const range = rangeOf(value)
  const note = range === '' || description.includes(range) ? '' : ` (${range})`
  const cell = isRequired ? '**required**' : unset === '' ? '' : `\`${unset}\``
  return `| \`${name}\` | ${cell} | ${sentence(description).replaceAll('<', '&lt;')}${note} |`
}

const table = (variables) => ['| variable | default | |', '| --- | --- | --- |', ...variables.map(row)].join('\n')

const section = ({ name, needs, variables }) => {
  const addresses = needs.map((need) => `\`${addressOf[need]}\``).join(', ')
  const own = variables.length === 0 ? 'It has no variables of its own.' : table(variables)
  return `## ${name}\n\nAlone it requires ${addresses}.\n\n${own}`
}

/** The page with all variables. */
const configurationPage = () =>
  `${[introduction.trim(), `## Every service\n\n${table(platformVariables)}`, ...services.map(section)].join('\n\n')}\n`

/** Variables that the chart reads from Secrets. */
export const isSecret = (name) => /^(REDIS_URL|DATABASE_URL|SMTP_URL|API_KEY_PEPPERS|.*_(KEYS?|SECRET))$/.test(name)

/** Variables that the chart sets from its own values. */
const ofTheChart = /^(NATS_.*|PARLANCE_DATA|HOST|PORT|HEALTH_PORT|API_KEY_ENVIRONMENT)$/

/** Variables that the chart derives from another value, and refuses under their own name. */
const derived = new Set(['MODELS_DIR', 'SESSION_DRAIN_MS', 'SESSION_UDP_PORT', 'STREAM_DRAIN_MS', 'TTS_ENGINES_FILE'])

const propertyOf = ({ name, description, value }) =>
  derived.has(name)
    ? { description: 'The chart sets it, and refuses it here.' }
    : { description: sentence(description), ...value }

const propertiesOf = (variables) =>
  Object.fromEntries(
    variables
      .filter(({ name }) => !isSecret(name) && !ofTheChart.test(name))
      .map((variable) => [variable.name, propertyOf(variable)]),
  )

const environmentSchema = (variables) => ({
  type: 'object',
  additionalProperties: false,
  properties: propertiesOf(variables),
})

/** The schema of the chart's values with the variables that each service knows, from the schema without them or with older ones. */
const valuesSchema = (text) => {
  const schema = JSON.parse(text)
  const definitions = Object.entries(schema.definitions).filter(([name]) => !name.startsWith('env-'))
  schema.definitions = Object.fromEntries(definitions)
  schema.definitions['env-platform'] = environmentSchema(platformVariables)
  for (const { name, variables } of services) {
    schema.definitions[`env-${name}`] = environmentSchema([...platformVariables, ...variables])
  }
  const names = [platformVariables, ...services.map(({ variables }) => variables)].flat().map(({ name }) => name)
  schema.definitions.secretVariable = { enum: [...new Set(names.filter(isSecret))].sort() }
  schema.properties.services.properties = Object.fromEntries(
    services.map(({ name }) => [
      name,
      {
        allOf: [{ $ref: '#/definitions/service' }, { properties: { env: { $ref: `#/definitions/env-${name}` } } }],
      },
    ]),
  )
  return `${JSON.stringify(schema, null, 2)}
`
}

const schemaFile = 'deploy/helm/parlance/values.schema.json'

export const configuration = (read) => ({
  'docs/configuration.md': configurationPage(),
  [schemaFile]: valuesSchema(read(schemaFile)),
})
