import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'

/** The account that Postgres runs as. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const accounts = async (): Promise<Account[]> => {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

/**
 * Undefined for an ordinary user, whose account runs Postgres. Postgres refuses to run as root; then it runs as the owner of
 * existing data, or as `postgres` where that account exists, or as `nobody`, which every machine has.
 */
export const postgresAccount = async (dataFolder: string): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const known = await accounts()
  const owner = await stat(dataFolder).then(
    ({ uid }) => uid,
    () => 0,
  )
  const account =
    known.find(({ uid }) => owner !== 0 && uid === owner) ??
    known.find(({ name }) => name === 'postgres') ??
    known.find(({ name }) => name === 'nobody')
  if (!account) throw new Error('Postgres cannot run as root, and this machine has no other account for it.')
  return account
}

/** The first folder above `path` that `account` may not enter. */
const closedFolder = async (path: string, { uid, gid }: Account): Promise<string | undefined> => {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder)
    const enter = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & enter) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** The arguments of `spawn`: the file, its arguments and the options. */
export type Launcher = (file: string, args: string[]) => readonly [string, string[], { uid?: number; gid?: number }]

/**
 * Runs programs as `account`. When `paths` are below a folder that only root may enter, such as its home, the programs receive
 * the capability to search it, where Linux supports that. Rejects where it does not.
 */
export const createLauncher = async (account: Account | undefined, paths: readonly string[]): Promise<Launcher> => {
  if (account === undefined) return (file, args) => [file, args, {}]
  const { name, uid, gid } = account
  const closed = (await Promise.all(paths.map((path) => closedFolder(path, account)))).find(Boolean)
  if (closed === undefined) return (file, args) => [file, args, { uid, gid }]

  const rights = '-all,+dac_read_search'
  const setpriv = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${rights}`,
    `--ambient-caps=${rights}`,
  ]
  const launch: Launcher = (file, args) => ['setpriv', [...setpriv, '--', file, ...args], {}]
  await promisify(execFile)(...launch('true', [])).catch(() => {
    throw new Error(
      `Postgres cannot run as root, and its account (${name}) cannot enter ${closed}. ` +
        'Move this folder to a place that other users may enter, such as /opt, or start as an ordinary user.',
    )
  })
  return launch
}
