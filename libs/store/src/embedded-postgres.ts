/**
 * A Postgres server as a child process, for a process without `DATABASE_URL`.
 *
 * - The process that uses the folder holds an advisory lock through a connection that stays open. A Postgres without this lock
 *   has lost its owner and may be stopped; one with the lock is in use.
 * - Postgres has a process group of its own. A Ctrl-C in the terminal reaches only this process, which stops Postgres last.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { settlesWithin } from '@parlance/async'
import pg from 'pg'
import type { StoreLogger } from './database.js'
import { createLauncher, type Launcher, postgresAccount } from './postgres-account.js'
import { findPostgresBinaries } from './postgres-binaries.js'
import { hasCluster, makeCluster, postgresEnvironment, prepareFolder, reasonIn, superuser } from './postgres-cluster.js'
import { findPostmaster, isAlive, type Postmaster } from './postmaster-file.js'

/** Another process uses the data folder and holds it until that process ends. */
export class FolderInUseError extends Error {
  override name = 'FolderInUseError'

  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process.`)
  }
}

interface EmbeddedPostgresOptions {
  dataFolder: string
  logger: StoreLogger
  /** A port of 127.0.0.1 to listen on; called again when it is taken. Default: any free port. */
  choosePort?: () => Promise<number>
}

const startTimeoutMs = 30_000
const launchAttempts = 5
const lastOutputWithinMs = 1_000
const stopTimeoutMs = 10_000
const answerTimeoutMs = 5_000
const ownerComesWithinMs = 3_000
/** An arbitrary key that is used for nothing else. */
const ownerLock = 7_275_266

/** A small footprint, for development on one machine. */
const settings = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60', 'shared_buffers=16MB'],
  ...['jit=off', 'io_method=sync', 'max_wal_size=128MB', 'log_min_messages=warning'],
  // Without replication Postgres needs one process less.
  'max_logical_replication_workers=0',
].flatMap((setting) => ['-c', setting])

const freePort = (): Promise<number> =>
  new Promise((settle, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => settle(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })

/** A connection that holds the owner's lock; undefined when another process holds it. Rejects when no server answers. */
const becomeOwner = async (url: string): Promise<pg.Client | undefined> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [ownerLock])
    if (rows[0]?.mine) return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  await client.end()
  return undefined
}

/** SIGINT closes connections and shuts down cleanly; SIGQUIT leaves the recovery to the next start. */
const endPostmaster = async (pid: number): Promise<void> => {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGKILL']
  for (const signal of signals) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (let waitedMs = 0; waitedMs < stopTimeoutMs && isAlive(pid); waitedMs += 20) await delay(20)
  }
}

/**
 * Stops a Postgres that lost its owner. The owner of one that has just started, or does not answer at first, may be about to
 * take the lock, so there is a grace period.
 */
const endOrphan = async (
  { pid, port, startedAtMs }: Postmaster,
  folder: string,
  urlAt: (port: number) => string,
): Promise<void> => {
  const giveUpAtMs = performance.now() + answerTimeoutMs
  while (isAlive(pid) && performance.now() < giveUpAtMs) {
    const owner = await becomeOwner(urlAt(port)).catch(() => 'no answer' as const)
    if (owner === undefined) throw new FolderInUseError(folder)
    if (owner !== 'no answer') {
      await owner.end()
      if (Date.now() - startedAtMs > ownerComesWithinMs) break
    }
    await delay(100)
  }
  await endPostmaster(pid)
}

interface Launch {
  readonly child: ChildProcess
  readonly owner: pg.Client
}

/** Undefined when another process uses the port. */
const launch = async (
  [file, args, as]: ReturnType<Launcher>,
  url: string,
  folder: string,
): Promise<Launch | undefined> => {
  let output = ''
  const child = spawn(file, args, {
    cwd: '/',
    detached: true,
    env: postgresEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...as,
  })
  child.on('error', (error) => {
    output += error.message
  })
  child.stderr?.on('data', (text: Buffer) => {
    output = (output + text.toString()).slice(-4_000)
  })
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null

  // Another server on the port may never answer, although the started process has ended.
  const closed = new Promise<undefined>((end) => child.once('close', () => end(undefined)))

  const giveUpAtMs = performance.now() + startTimeoutMs
  while (!hasEnded() && performance.now() < giveUpAtMs) {
    const owner = await Promise.race([becomeOwner(url).catch(() => undefined), closed])
    if (owner) return { child, owner }
    await delay(20)
  }
  if (!hasEnded() && child.pid !== undefined) await endPostmaster(child.pid)
  // Its last output may be read after it has ended.
  await settlesWithin(closed, lastOutputWithinMs)
  if (output.includes('Address already in use')) return undefined
  const reason = reasonIn(output)
  if (reason.startsWith('lock file "postmaster.pid"')) throw new FolderInUseError(folder)
  throw new Error(`The embedded Postgres did not start: ${reason}`)
}

/** Tries another port when the chosen one was taken before the start. */
const launchOnFreePort = async (
  launchOn: (port: number) => Promise<Launch | undefined>,
  choosePort: () => Promise<number>,
): Promise<Launch & { port: number }> => {
  for (let left = launchAttempts; left > 0; left--) {
    const port = await choosePort()
    const launched = await launchOn(port)
    if (launched) return { ...launched, port }
  }
  throw new Error(
    `The embedded Postgres did not start: ${launchAttempts} free ports were each taken by another process before the start`,
  )
}

/** Starts a Postgres server as a child of this process. Rejects with one line when the folder or the machine cannot be used. */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions) => {
  const { logger } = options
  const folder = resolve(options.dataFolder)
  const data = join(folder, 'data')
  const binaries = await findPostgresBinaries()
  const account = await postgresAccount(data)
  const password = await prepareFolder(folder, account)
  const launcher = await createLauncher(account, [data, binaries.postgres])
  const urlAt = (port: number) => `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`

  if (!(await hasCluster(data, binaries.major))) await makeCluster(binaries, folder, account, launcher)
  const found = await findPostmaster(data)
  if (found) await endOrphan(found, folder, urlAt)

  const launchOn = (port: number) =>
    launch(launcher(binaries.postgres, ['-D', data, '-p', String(port), ...settings]), urlAt(port), folder)
  const { child, owner, port } = await launchOnFreePort(launchOn, options.choosePort ?? freePort)
  const pid = child.pid ?? 0
  logger.info({ component: 'postgres', pid, port }, 'The embedded Postgres is running')

  // For a process that ends without calling `stop`. Only SIGKILL leaves Postgres running.
  const endWithProcess = () => child.kill('SIGINT')
  process.once('exit', endWithProcess)
  let stopping = false
  child.once('exit', () => {
    if (!stopping) logger.warn({ component: 'postgres' }, 'The embedded Postgres ended unexpectedly')
  })
  return {
    /** The URL of its superuser, with the password. */
    url: urlAt(port),
    async stop(): Promise<void> {
      stopping = true
      process.removeListener('exit', endWithProcess)
      await owner.end().catch(() => {})
      await endPostmaster(pid)
    },
  }
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof openEmbeddedPostgres>>
