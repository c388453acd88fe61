import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { canConnect, startChildServer, type TestServer } from './child-server.js'
import { findPostgresFolder } from './installed-programs.js'

const run = promisify(execFile)

/** Removed with the installed packages. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/parlance', import.meta.url))

/** The account that runs Postgres; undefined for the account of this process. */
type PostgresUser = { readonly uid: number; readonly gid: number } | undefined

const initialize = (initdb: string, data: string, user: PostgresUser) =>
  run(initdb, ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], {
    ...user,
    cwd: dirname(data),
  })

/** Keeps modes and owners: Postgres accepts only files of its own account. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to])

/** Atomic, also for others in this process. When several store a copy, the first is kept. */
const keep = async (data: string, kept: string): Promise<void> => {
  const partial = `${kept}.${randomUUID()}`
  await mkdir(cache, { recursive: true })
  await copy(data, partial)
  await rename(partial, kept).catch(() => rm(partial, { recursive: true }))
}

/**
 * Creates an empty cluster in the folder `data`, which must not exist yet. It is a copy of the first one that `initdb` of this
 * version created for this account, because a copy takes a tenth of the time.
 */
export const makeCluster = async (binaries: string, data: string, user: PostgresUser): Promise<void> => {
  const initdb = join(binaries, 'initdb')
  const version = (await run(initdb, ['--version'])).stdout.replace(/[^\d.]+/g, '-')
  const kept = join(cache, `postgres${version}${user?.uid ?? process.getuid?.()}`)
  try {
    await copy(kept, data)
  } catch {
    // There is no copy yet, or it belongs to another account.
    await rm(data, { recursive: true, force: true })
    await initialize(initdb, data, user)
    await keep(data, kept)
  }
}

/** Postgres refuses to run as root, so root starts it as the user of Debian's package. */
const postgresUser = async (): Promise<PostgresUser> => {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** A new cluster, removed with its folder. The URL has its superuser, which needs no password. */
export const startPostgresServer = async ({ args = [] }: { args?: readonly string[] } = {}): Promise<TestServer> => {
  const binaries = findPostgresFolder() ?? ''
  const user = await postgresUser()
  return startChildServer({
    name: 'postgres',
    ...(user && { user }),
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    async prepare(folder) {
      if (user) await chown(folder, user.uid, user.gid)
      await makeCluster(binaries, join(folder, 'data'), user)
    },
    command: (port, folder) => [
      join(binaries, 'postgres'),
      ...['-D', join(folder, 'data'), '-p', String(port), '-h', '127.0.0.1', '-k', folder],
      ...['-c', 'fsync=off', '-c', 'shared_buffers=16MB', '-c', 'log_min_messages=warning'],
      ...args,
    ],
    // Postgres writes its pid first and its state last into this file.
    async isReady(port, pid, folder) {
      const lines = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')
      return lines[0] === String(pid) && lines[7]?.trim() === 'ready' && (await canConnect(port))
    },
    stopSignal: 'SIGINT',
  })
}
