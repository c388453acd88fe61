import { execFile } from 'node:child_process'
import { chown, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canConnect, startChildServer, type TestServer } from './child-server.js'
import { findPostgresFolder } from './installed-programs.js'
import { makeCluster, type PostgresUser } from './postgres-cluster.js'

const run = promisify(execFile)

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
