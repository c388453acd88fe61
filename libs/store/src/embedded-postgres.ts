/**
 * A real Postgres of our own, for a process that was given none.
 *
 * - Whoever uses the folder holds an advisory lock through one connection for as long as he lives. So the Postgres of an
 *   owner who was killed is told from one in use, and only the former is ended.
 * - Postgres has a process group of its own: a Ctrl-C in the terminal reaches us, and we end it when all else is done.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { settlesWithin } from '@parlance/async'
import pg from 'pg'
import { FolderInUseError } from './folder-in-use-error.js'
import { createLauncher, type Launcher, postgresAccount } from './postgres-account.js'
import { findPostgresBinaries } from './postgres-binaries.js'
import { hasCluster, makeCluster, prepareFolder, superuser } from './postgres-cluster.js'
import { postgresEnvironment, reasonIn } from './postgres-output.js'
import { findPostmaster, isAlive, type Postmaster } from './postmaster-file.js'
import type { StoreLogger } from './store-logger.js'

export interface EmbeddedPostgres {
  /** Of its superuser, password included. */
  readonly url: string
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataFolder: string
  logger: StoreLogger
  /** A port of 127.0.0.1 to listen on; asked again when it is taken. Default: any that is free. */
  choosePort?: () => Promise<number>
}

const startTimeoutMs = 30_000
const launchAttempts = 5
const lastOutputWithinMs = 1_000
const stopTimeoutMs = 10_000
const answerTimeoutMs = 5_000
const ownerComesWithinMs = 3_000
/** Any number that is only used for this. */
const ownerLock = 7_275_266

/** A small footprint: one machine's development, not a server. */
const settings = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60', 'shared_buffers=16MB'],
  ...['jit=off', 'io_method=sync', 'max_wal_size=128MB', 'log_min_messages=warning'],
  // Nobody replicates it: one process less.
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

/** A connection that holds the owner's lock; undefined when somebody else holds it. Rejects when nobody answers. */
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

/** SIGINT breaks connections off and closes the files in order; SIGQUIT leaves the order to the next start. */
const endPostmaster = async (pid: number): Promise<void> => {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGKILL']
  for (const signal of signals) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    for (let waitedMs = 0; waitedMs < stopTimeoutMs && isAlive(pid); waitedMs += 20) await delay(20)
  }
}

/**
 * Ends a Postgres that lost its owner. One that has just started, or does not answer at first, may have an owner who is
 * about to take the lock: he gets the time to.
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

/** Undefined when the port is somebody else's. */
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

  // Whoever else listens on the port may keep us waiting for an answer when ours has long ended.
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

/** Between our look and its start another process may have taken the port: then there is another one. */
const launchOnFreePort = async (
  launchOn: (port: number) => Promise<Launch | undefined>,
  choosePort: () => Promise<number>,
): Promise<Launch & { port: number }> => {
  for (let left = launchAttempts; left > 0; left--) {
    const port = await choosePort()
    const launched = await launchOn(port)
    if (launched) return { ...launched, port }
  }
  throw new Error(`The embedded Postgres did not start: each of ${launchAttempts} ports that were free was then taken`)
}

/** Rejects with one clear line when the folder or the machine will not do. */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
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
  logger.info({ component: 'postgres', pid, port }, 'The embedded Postgres runs')

  // The last chance where a process ends without stopping us; only SIGKILL leaves Postgres behind.
  const endWithProcess = () => child.kill('SIGINT')
  process.once('exit', endWithProcess)
  let stopping = false
  child.once('exit', () => {
    if (!stopping) logger.warn({ component: 'postgres' }, 'The embedded Postgres ended by itself')
  })
  return {
    url: urlAt(port),
    async stop() {
      stopping = true
      process.removeListener('exit', endWithProcess)
      await owner.end().catch(() => {})
      await endPostmaster(pid)
    },
  }
}
