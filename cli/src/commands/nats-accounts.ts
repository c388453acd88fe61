import type { Command } from 'commander'
import { folderName } from '../arguments.js'
import { type Answer, addCommand, type OutputOptions, type Runner } from '../command.js'
import { natsAuthorization, passwordIdentity } from '../nats/nats-accounts.js'
import { inboxPrefixOf, natsPermissionsOf } from '../nats/nats-permissions.js'
import { openNkeyFiles } from '../nats/nkey-files.js'
import { traffic } from '../nats/traffic.js'

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
