/**
 * A real Postgres of our own, for a process that was given none.
 *
 * - The data folder holds `data` (the cluster) and `password`. A cluster is made beside its place and then moved there:
 *   a first start that is cut short leaves nothing half made.
 * - Whoever uses the folder holds an advisory lock through one connection for as long as he lives. So the Postgres of an
 *   owner who was killed is told from one in use, and only the former is ended.
 * - Postgres has a process group of its own: a Ctrl-C in the terminal reaches us, and we end it when all else is done.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { messageOf } from './error-message.js'
import { FolderInUseError } from './folder-in-use-error.js'
import { type Account, createLauncher, type Launcher, postgresAccount } from './postgres-account.js'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js'
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
}

const startTimeoutMs = 30_000
const stopTimeoutMs = 10_000
const answerTimeoutMs = 5_000
const ownerComesWithinMs = 3_000
const user = 'parlance'
/** Any number that is only used for this. */
const ownerLock = 7_275_266

/** A small footprint: one machine's development, not a server. */
const settings = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60', 'shared_buffers=16MB'],
  ...['jit=off', 'io_method=sync', 'max_wal_size=128MB', 'log_min_messages=warning'],
].flatMap((setting) => ['-c', setting])

const environment = { ...process.env, LC_ALL: 'C.UTF-8', LC_MESSAGES: 'C' }

/** The line that tells the reason, of all that Postgres or initdb printed. */
const reasonIn = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
  return reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}

const prepareFolder = async (folder: string, account: Account | undefined): Promise<string> => {
  const passwordFile = join(folder, 'password')
  try {
    // Enterable by the account that Postgres runs as; what is inside is its own.
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

const makeCluster = async (
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
      ...['-D', unfinished, '-U', user, '--pwfile', join(folder, 'password'), '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C.UTF-8'],
    ])
    await promisify(execFile)(file, args, { cwd: folder, env: environment, ...as })
    await rename(unfinished, join(folder, 'data'))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const { stderr } = error as { stderr?: string }
    const reason = stderr ? reasonIn(stderr) : messageOf(error)
    throw new Error(`A database could not be made in ${folder}: ${reason}`)
  }
}

const assertVersion = async (data: string, major: string): Promise<boolean> => {
  const found = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The data folder ${data} cannot be read: ${error.message}`)
  })
  if (found === undefined) return false
  if (found.trim() === major) return true
  throw new Error(
    `The data in ${data} was written by Postgres ${found.trim()}, and this is Postgres ${major}. ` +
      'Start the version that wrote it, or move the folder away to begin with an empty database.',
  )
}

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

const launch = async ([file, args, as]: ReturnType<Launcher>, url: string, folder: string): Promise<Launch> => {
  let output = ''
  const child = spawn(file, args, {
    cwd: '/',
    detached: true,
    env: environment,
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

  const giveUpAtMs = performance.now() + startTimeoutMs
  while (!hasEnded() && performance.now() < giveUpAtMs) {
    const owner = await becomeOwner(url).catch(() => undefined)
    if (owner) return { child, owner }
    await delay(20)
  }
  if (!hasEnded() && child.pid !== undefined) await endPostmaster(child.pid)
  const reason = reasonIn(output)
  if (reason.startsWith('lock file "postmaster.pid"')) throw new FolderInUseError(folder)
  throw new Error(`The embedded Postgres did not start: ${reason}`)
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
  const urlAt = (port: number) => `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`

  if (!(await assertVersion(data, binaries.major))) await makeCluster(binaries, folder, account, launcher)
  const found = await findPostmaster(data)
  if (found) await endOrphan(found, folder, urlAt)

  const port = await freePort()
  const command = launcher(binaries.postgres, ['-D', data, '-p', String(port), ...settings])
  const { child, owner } = await launch(command, urlAt(port), folder)
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
