/**
 * The folder of an embedded Postgres: `data` (the cluster) and `password`. A cluster is created in a temporary folder and then
 * renamed: an interrupted first start leaves no partial cluster.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account, Launcher } from './postgres-account.js'
import type { PostgresBinaries } from './postgres-binaries.js'
import { messageOf } from './store-errors.js'

/** Postgres and its programs must print English, whatever the locale of the machine, because their output is parsed. */
export const postgresEnvironment = { ...process.env, LC_ALL: 'C.UTF-8', LC_MESSAGES: 'C' }

/** The line with the reason in the output of Postgres or initdb. */
export const reasonIn = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
  return reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}

/** The superuser of every embedded cluster. */
export const superuser = 'parlance'

/** Creates the folder and the password of its superuser if they are missing. Returns the password. */
export const prepareFolder = async (folder: string, account: Account | undefined): Promise<string> => {
  const passwordFile = join(folder, 'password')
  try {
    // The account of Postgres must be able to enter the folder, and owns its content.
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o711 })
    if (firstMade !== undefined && account) await chmod(firstMade, 0o711)
    await chmod(folder, account ? 0o711 : 0o700)
    await writeFile(passwordFile, randomBytes(18).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (account) await chown(passwordFile, account.uid, account.gid)
    return await readFile(passwordFile, 'utf8')
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be used: ${messageOf(error)}`)
  }
}

/** Creates `data` in the folder. Its superuser has the folder's password. */
export const makeCluster = async (
  { initdb }: PostgresBinaries,
  folder: string,
  account: Account | undefined,
  launcher: Launcher,
): Promise<void> => {
  const unfinished = join(folder, `data.${process.pid}`)
  await rm(unfinished, { recursive: true, force: true })
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (account) await chown(unfinished, account.uid, account.gid)
    const [file, args, as] = launcher(initdb, [
      ...['-D', unfinished, '-U', superuser, '--pwfile', join(folder, 'password'), '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C.UTF-8'],
    ])
    await promisify(execFile)(file, args, { cwd: folder, env: postgresEnvironment, ...as })
    await rename(unfinished, join(folder, 'data'))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const { stderr } = error as { stderr?: string }
    const reason = stderr ? reasonIn(stderr) : messageOf(error)
    throw new Error(`A database could not be created in ${folder}: ${reason}`)
  }
}

/** Whether there is a cluster already. Rejects when another Postgres than this major version wrote it. */
export const hasCluster = async (data: string, major: string): Promise<boolean> => {
  const found = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The data folder ${data} cannot be read: ${error.message}`)
  })
  if (found === undefined) return false
  if (found.trim() === major) return true
  throw new Error(
    `The data in ${data} was written by Postgres ${found.trim()}, but this is Postgres ${major}. ` +
      'Start the version that wrote it, or move the folder away to begin with an empty database.',
  )
}
