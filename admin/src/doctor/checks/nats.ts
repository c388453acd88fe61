import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type NatsCredentials, type NatsProbe, type ProbedSubjects, probeNats } from '@parlance/bus'
import { inboxPrefixOf, natsPermissionsOf, traffic } from '@parlance/cli'
import { readNatsEnvironment } from '@parlance/runtime/nats'
import { reasonOf, withoutCredentials } from '@parlance/runtime/process'
import { type CheckContext, error, type Finding, isOlder, ok, skipped, warning } from '../check.js'

const minVersion = '2.9.0'
const users = Object.keys(traffic)
const runAccounts = 'Configure the user as `npx parlance nats-accounts` prints, and reload NATS.'

/** A user to check, and its name in messages. */
interface CheckedUser {
  readonly users: readonly string[]
  readonly name: string
  readonly credentials: NatsCredentials | undefined
  readonly inboxPrefix: string | undefined
}

/**
 * One subject for each pattern that the users need. Services ignore messages there: they are empty and have no
 * reply subject. Inboxes have the prefix of each service only where services are given private ones.
 */
const subjectsFor = ({ users, inboxPrefix }: CheckedUser): ProbedSubjects => {
  const permissions = users.map(natsPermissionsOf)
  const isPrivate = users.some((user) => inboxPrefixOf(user) === inboxPrefix)
  const probed = (pattern: string) =>
    pattern
      .replace(/^_INBOX_[\w-]+/, (prefix) => (isPrivate ? prefix : (inboxPrefix ?? '_INBOX')))
      .replace('>', 'doctor')
  return {
    publish: [...new Set(permissions.flatMap(({ publish }) => publish.map(probed)))],
    subscribe: [...new Set(permissions.flatMap(({ subscribe }) => subscribe.map(probed)))],
  }
}

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

/** The credentials of a user in a folder as the chart's Secret has them: `<user>.nk`, `.creds` or `.password`. */
const credentialsIn = async (folder: string, user: string): Promise<NatsCredentials | undefined> => {
  const [nkeySeedFile, credsFile, passwordFile] = ['nk', 'creds', 'password'].map((kind) =>
    join(folder, `${user}.${kind}`),
  )
  if ((await readText(nkeySeedFile!)) !== undefined) return { nkeySeedFile: nkeySeedFile! }
  if ((await readText(credsFile!)) !== undefined) return { credsFile: credsFile! }
  const password = await readText(passwordFile!)
  return password === undefined ? undefined : { user, password: password.trim() }
}

/** The user that the environment names: by its name, its inboxes or its file. All of them where it names none. */
const ownUsers = ({ environment }: CheckContext): readonly string[] => {
  const { NATS_USER, NATS_INBOX_PREFIX, NATS_NKEY_SEED_FILE, NATS_CREDS_FILE } = environment
  const file = basename(NATS_NKEY_SEED_FILE ?? NATS_CREDS_FILE ?? '').replace(/\.(nk|creds)$/, '')
  const own = users.find((user) => [NATS_USER, file].includes(user) || inboxPrefixOf(user) === NATS_INBOX_PREFIX)
  return own === undefined ? users : [own]
}

const usersOf = async (context: CheckContext, own: Omit<CheckedUser, 'users' | 'name'>): Promise<CheckedUser[]> => {
  const folder = context.natsUsers
  if (folder === undefined) {
    const named = ownUsers(context)
    return [{ users: named, name: named.length === 1 ? named[0]! : 'every service', ...own }]
  }
  const found = await Promise.all(users.map(async (user) => ({ user, credentials: await credentialsIn(folder, user) })))
  return found
    .filter(({ credentials }) => credentials !== undefined)
    .map(({ user, credentials }) => ({
      users: [user],
      name: user,
      credentials,
      inboxPrefix: own.inboxPrefix && inboxPrefixOf(user),
    }))
}

const describe = (place: string, { version, isEncrypted, roundTripMs }: NatsProbe): string =>
  `NATS ${version} at ${place} answers in ${roundTripMs.toFixed(1)} ms, ${isEncrypted ? 'with' : 'without'} TLS.`

const serverFindings = (place: string, probe: NatsProbe): Finding[] => [
  isOlder(probe.version, minVersion)
    ? error(`NATS at ${place} is ${probe.version}.`, 'Install NATS 2.9 or later.')
    : ok(describe(place, probe)),
  ...(probe.requiresAuthentication
    ? []
    : [
        warning(
          'NATS requires no credentials, so any program that reaches it may call every service.',
          '`npx parlance nats-accounts` prints a user for each service.',
        ),
      ]),
]

const permissionFindings = ({ name, ...user }: CheckedUser, { refusals }: NatsProbe): Finding[] => {
  const { publish, subscribe } = subjectsFor({ name, ...user })
  if (refusals.length === 0) {
    return [
      ok(`${name} may publish to ${publish.length} and subscribe to ${subscribe.length} kinds of subjects it needs.`),
    ]
  }
  const denied = refusals.map(({ reason, denied }) =>
    denied === undefined
      ? reason
      : `${denied.operation === 'publish' ? 'publish' : 'subscribe'} to ${denied.subject.replace(/\bdoctor$/, '>')}`,
  )
  return [error(`${name} may not ${[...new Set(denied)].join(', ')}.`, runAccounts)]
}

/** NATS: whether it can be reached, TLS, and whether each user may publish and subscribe to what its service needs. */
export const checkNats = async (context: CheckContext): Promise<Finding[]> => {
  const { url, credentials, tls, inboxPrefix } = readNatsEnvironment(context.environment)
  if (url === '') return [skipped('npm start uses its own message bus in place of NATS.')]
  const place = withoutCredentials(url)
  const checked = await usersOf(context, { credentials, inboxPrefix })
  if (checked.length === 0) {
    return [
      error(
        `${context.natsUsers} has no file such as gateway.nk.`,
        'Name the folder of `npx parlance nats-accounts --nkeys`.',
      ),
    ]
  }
  const results = await Promise.all(
    checked.map(async (user) => {
      const options = {
        url,
        name: 'parlance doctor',
        credentials: user.credentials,
        tls,
        inboxPrefix: user.inboxPrefix,
      }
      try {
        return { user, probe: await probeNats(options, subjectsFor(user)) }
      } catch (problem) {
        return { user, problem }
      }
    }),
  )
  const [first] = results.flatMap(({ probe }) => probe ?? [])
  return [
    ...(first === undefined ? [] : serverFindings(place, first)),
    ...results.flatMap(({ user, probe, problem }) =>
      probe === undefined
        ? error(
            `${context.natsUsers === undefined ? 'No connection' : `${user.name} cannot connect`} to NATS at ${place}: ${reasonOf(problem)}.`,
            'Start it, or correct NATS_URL and the credentials.',
          )
        : permissionFindings(user, probe),
    ),
  ]
}
