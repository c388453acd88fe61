import { parse } from 'yaml'
import { natsAuthorization, passwordIdentity } from '../../cli/dist/commands/nats-accounts.js'
import { isSecret } from './configuration.mjs'
import { addressOf, services } from './variables.mjs'

/** The text with other lines between `# Begin: NAME` and `# End: NAME`. */
const withRegion = (text, name, lines) => {
  const region = new RegExp(`(# Begin: ${name}\\b.*\\n)[^]*?( *# End: ${name}\\n)`)
  if (!region.test(text)) throw new Error(`There is no "# Begin: ${name}".`)
  return text.replace(region, (_, begin, end) => `${begin}${lines.map((line) => `${line}\n`).join('')}${end}`)
}

/** Defaults for a laptop, where the service requires a value or a container needs another one. */
const laptopValues = {
  API_KEY_PEPPERS: '1:for-a-laptop-only',
  CALENDAR_FEED_KEY: 'for-a-laptop-only',
  MODEL_PROVIDER_KEYS: '1:for-a-laptop-only',
  // Media come by UDP: to be reached from elsewhere the service announces an address and one port, both of which are this machine's.
  SESSION_ANNOUNCED_ADDRESS: '127.0.0.1',
  SESSION_UDP_PORT: '40000',
}

/** Files and folders need a mount of their own, and the port within the container is fixed. */
const isInCompose = ({ name }) => !/_(FILE|FOLDER|DIR)$/.test(name) && name !== 'PORT'

const composeVariables = services.map(({ name, variables }) => ({ name, variables: variables.filter(isInCompose) }))
const withVariables = composeVariables.filter(({ variables }) => variables.length > 0).map(({ name }) => name)

const variableLines = [
  ...composeVariables.flatMap(({ name, variables }) => [
    ...(variables.length > 0 ? [`  of-${name}: &of-${name}`] : []),
    ...variables.map(({ name }) => `    ${name}: \${${name}:-${laptopValues[name] ?? ''}}`),
  ]),
  '  of-all: &of-all',
  `    <<: [${withVariables.map((name) => `*of-${name}`).join(', ')}]`,
]

const passwordLines = [...services, { name: 'cli' }].map(({ name }) => {
  const variable = `NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`
  return `      ${variable}: &nats-${name} \${${variable}:-laptop-only-${name}}`
})

const serverOf = { bus: 'nats', ttl: 'redis', database: 'postgres' }
const published = {
  gateway: `\${PORT:-8080}:8080`,
  sessions: `\${SESSION_UDP_PORT:-40000}:\${SESSION_UDP_PORT:-40000}/udp`,
}

const serviceLines = services.flatMap(({ name, needs }) => {
  const merged = [...needs, ...(withVariables.includes(name) ? [`of-${name}`] : [])]
  // The gateway starts after the services that it calls.
  const others = name === 'gateway' ? services.map((service) => service.name).filter((other) => other !== name) : []
  return [
    `  ${name}:`,
    '    <<: *service',
    `    command: ["node", "services/${name}/dist/main.js"]`,
    '    environment:',
    `      <<: [${merged.map((anchor) => `*${anchor}`).join(', ')}]`,
    `      NATS_USER: ${name}`,
    `      NATS_PASSWORD: *nats-${name}`,
    `      NATS_INBOX_PREFIX: _INBOX_${name}`,
    ...(name in published ? [`    ports: ["${published[name]}"]`] : []),
    '    depends_on:',
    ...[...needs.map((need) => serverOf[need]), ...others].map((one) => `      ${one}: { condition: service_healthy }`),
    '',
  ]
})

const compose = (text) =>
  withRegion(
    withRegion(withRegion(text, 'variables', variableLines), 'passwords', passwordLines),
    'services',
    serviceLines,
  )

/** Secrets that the chart sets from values of their own. */
const ofValues = ['OIDC_CLIENT_SECRET', 'SMTP_URL']

/** The facts that follow from the variables of a service. */
const factsOf = ({ needs, variables }) => {
  const names = variables.map(({ name }) => name)
  const secrets = variables.filter(({ name }) => isSecret(name) && !ofValues.includes(name))
  const required = secrets.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const optional = secrets.filter(({ isRequired }) => !isRequired).map(({ name }) => name)
  return {
    secrets: [...required, ...needs.map((need) => addressOf[need]).filter(isSecret)].sort(),
    ...(optional.length > 0 && { optionalSecrets: optional.sort() }),
    ...(names.includes('API_KEY_ENVIRONMENT') && { apiKeys: true }),
    ...(names.includes('MODELS_DIR') && { models: true }),
  }
}

const factLines = ([key, value]) =>
  Array.isArray(value) && value.length > 3
    ? [`  ${key}:`, ...value.map((item) => `    - ${item}`)]
    : [`  ${key}: ${Array.isArray(value) ? `[${value.join(', ')}]` : value}`]

/** Keeps the facts that do not follow from variables. */
const chartServices = (text) => {
  const written = parse(text)
  const lines = services.flatMap((service) => {
    const { secrets: _, optionalSecrets: __, apiKeys: ___, models: ____, ...kept } = written[service.name] ?? {}
    return [`${service.name}:`, ...Object.entries({ ...factsOf(service), ...kept }).flatMap(factLines)]
  })
  return `${text.match(/^(#.*\n)*/)[0]}${lines.join('\n')}\n`
}

/** The values with a block for each service. */
const chartValues = (text) => {
  const missing = services.filter(({ name }) => !new RegExp(`^ {2}${name}:`, 'm').test(text))
  return text.replace(/^services:\n/m, (line) => line + missing.map(({ name }) => `  ${name}: {}\n`).join(''))
}

const targetLines = services.map(({ name }) => `          - ${name}:8081`)

const derived = {
  'docker-compose.yml': compose,
  'deploy/helm/parlance/files/services.yaml': chartServices,
  'deploy/helm/parlance/values.yaml': chartValues,
  'deploy/observability/prometheus.yaml': (text) => withRegion(text, 'targets', targetLines),
}

export const deployment = (read) => ({
  ...Object.fromEntries(Object.entries(derived).map(([file, derive]) => [file, derive(read(file))])),
  'deploy/helm/parlance/files/nats-users.conf': `# The users of NATS: what \`npx parlance nats-accounts\` prints. Written by \`npm run generate\`.
${natsAuthorization(passwordIdentity)}
`,
})
