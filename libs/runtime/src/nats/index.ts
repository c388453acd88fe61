import type { NatsBusOptions, NatsCredentials, NatsTlsFiles } from '@parlance/bus'
import { z } from 'zod'
import { type Environment, parseEnvironment, urlWith } from '../environment.js'
import { StartupError } from '../process/index.js'

const file = (content: string) => z.string().optional().describe(`the path of ${content}`)

export const natsAddressExample = 'nats://127.0.0.1:4222'

/** Where NATS is, and how a process authenticates with it besides the credentials in the address. */
export const natsEnvironmentSchema = z.object({
  NATS_URL: urlWith(['nats', 'tls'], natsAddressExample),
  NATS_CREDS_FILE: file("a credentials file: a user's JWT and nkey seed"),
  NATS_NKEY_SEED_FILE: file("a file with a user's nkey seed"),
  NATS_USER: z.string().optional().describe('a user name, with NATS_PASSWORD'),
  NATS_PASSWORD: z.string().optional().describe('the password of NATS_USER'),
  NATS_TOKEN: z.string().optional().describe('a token'),
  NATS_TLS_CA_FILE: file('the certificate authorities to trust (PEM)'),
  NATS_TLS_CERT_FILE: file("the client's certificate (PEM), with NATS_TLS_KEY_FILE"),
  NATS_TLS_KEY_FILE: file("the client's key (PEM)"),
  NATS_INBOX_PREFIX: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'It must be one or more tokens of letters, digits, _ and - with dots between.')
    .optional()
    .describe('the first tokens of inboxes, such as _INBOX_gateway'),
})

type NatsEnvironment = z.output<typeof natsEnvironmentSchema>

const waysToAuthenticate = ['NATS_CREDS_FILE', 'NATS_NKEY_SEED_FILE', 'NATS_USER', 'NATS_TOKEN'] as const
const pairs = [
  ['NATS_USER', 'NATS_PASSWORD'],
  ['NATS_TLS_CERT_FILE', 'NATS_TLS_KEY_FILE'],
] as const

/** Variables that exclude each other or lack their counterpart, one line for each problem. */
export const natsProblems = (environment: Readonly<Record<string, unknown>>): string[] => {
  const problems: string[] = []
  const chosen = waysToAuthenticate.filter((variable) => environment[variable])
  if (chosen.length > 1) problems.push(`${chosen.join(' and ')} are set. Set one of them.`)
  for (const pair of pairs) {
    const [set] = pair.filter((variable) => environment[variable])
    const [unset] = pair.filter((variable) => !environment[variable])
    if (set && unset) problems.push(`${set} is set and ${unset} is not. Set both or neither.`)
  }
  return problems
}

/** How the bus connects to NATS by these variables: credentials, TLS and the prefix of inboxes. */
export const natsOptions = (
  environment: NatsEnvironment,
): Pick<NatsBusOptions, 'credentials' | 'tls' | 'inboxPrefix'> => ({
  credentials: credentialsIn(environment),
  tls: tlsFilesIn(environment),
  inboxPrefix: environment.NATS_INBOX_PREFIX,
})

const credentialsIn = (environment: NatsEnvironment): NatsCredentials | undefined => {
  const { NATS_CREDS_FILE, NATS_NKEY_SEED_FILE, NATS_USER, NATS_PASSWORD, NATS_TOKEN } = environment
  if (NATS_CREDS_FILE !== undefined) return { credsFile: NATS_CREDS_FILE }
  if (NATS_NKEY_SEED_FILE !== undefined) return { nkeySeedFile: NATS_NKEY_SEED_FILE }
  if (NATS_USER !== undefined) return { user: NATS_USER, password: NATS_PASSWORD ?? '' }
  return NATS_TOKEN === undefined ? undefined : { token: NATS_TOKEN }
}

const tlsFilesIn = (environment: NatsEnvironment): NatsTlsFiles | undefined => {
  const { NATS_TLS_CA_FILE: caFile, NATS_TLS_CERT_FILE: certFile, NATS_TLS_KEY_FILE: keyFile } = environment
  return caFile === undefined && certFile === undefined ? undefined : { caFile, certFile, keyFile }
}

/** The options of the bus, for a process that only calls services. Throws `StartupError`. */
export const readNatsEnvironment = (
  environment: Environment,
): Pick<NatsBusOptions, 'url' | 'credentials' | 'tls' | 'inboxPrefix'> => {
  const { values, problems } = parseEnvironment([natsEnvironmentSchema], environment)
  const lines = [...problems, ...natsProblems(environment)]
  if (lines.length > 0) throw new StartupError(lines)
  return { url: values[0].NATS_URL ?? '', ...natsOptions(values[0]) }
}
