import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { folderName } from '../arguments.js'
import { type Answer, addCommand, type OutputOptions, type Runner } from '../command.js'
import { inboxPrefixOf, natsPermissionsOf, traffic } from '../nats/nats-permissions.js'

/** The credentials of a user: a line of the configuration of NATS, such as `nkey: U…`. */
type IdentityOf = (user: string) => string

/** A user whose password is in a variable of the environment of NATS, such as `NATS_PASSWORD_END_USERS`. */
export const passwordIdentity: IdentityOf = (user) =>
  `user: ${user}, password: $NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`

/** One subject per line, because one long list is unreadable. */
const allow = (subjects: readonly string[]): string =>
  `{ allow: [\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ] }`

const userBlock = (user: string, identity: string): string => {
  const { publish, subscribe } = natsPermissionsOf(user)
  return `    {
      ${identity}
      permissions: {
        publish: ${allow(publish)}
        subscribe: ${allow(subscribe)}
      }
    }`
}

/**
 * The block `authorization` of the configuration of NATS: a user for each service with what it may publish and subscribe
 * to.
 */
export const natsAuthorization = (identityOf: IdentityOf): string =>
  `authorization {
  users: [
${Object.keys(traffic)
  .map((user) => userBlock(user, identityOf(user)))
  .join('\n')}
  ]
}`

const readSeed = (path: string): Promise<Uint8Array | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/**
 * The public nkeys of all users, by their names. The seed of each is in `<user>.nk` of the folder, which only its owner may
 * read: an existing seed is kept, and a missing one is created. Rejects for a file without a seed.
 */
const openNkeyFiles = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const { createUser, fromSeed } = await import('@nats-io/nkeys')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keys = new Map<string, string>()
  for (const user of Object.keys(traffic)) {
    const path = join(folder, `${user}.nk`)
    const seed = await readSeed(path)
    const pair = seed === undefined ? createUser() : fromSeed(Buffer.from(Buffer.from(seed).toString().trim()))
    if (seed === undefined) await writeFile(path, pair.getSeed(), { mode: 0o600, flag: 'wx' })
    keys.set(user, pair.getPublicKey())
  }
  return keys
}

interface NatsAccountsOptions extends OutputOptions {
  nkeys?: string
}

const answer = async ({ nkeys: folder }: NatsAccountsOptions): Promise<Answer> => {
  const keys = folder === undefined ? undefined : await openNkeyFiles(folder)
  const users = Object.keys(traffic).map((user) => ({
    user,
    inbox_prefix: inboxPrefixOf(user),
    ...(keys && { nkey: keys.get(user) }),
    ...natsPermissionsOf(user),
  }))
  const identityOf = keys === undefined ? passwordIdentity : (user: string) => `nkey: ${keys.get(user)}`
  return { json: { users }, text: () => natsAuthorization(identityOf) }
}

export const addNatsAccountsCommand = (program: Command, { answerAlone }: Runner): void => {
  addCommand(program, 'nats-accounts', 'print the users of NATS with what each may publish and subscribe to', [
    '> nats-users.conf',
    '--nkeys nats-keys > nats-users.conf',
  ])
    .option(
      '--nkeys <folder>',
      'make an nkey for each user, with its seed in the folder (default: passwords, in variables of NATS)',
      folderName,
    )
    .action((options: NatsAccountsOptions) => answerAlone(options, () => answer(options)))
}
