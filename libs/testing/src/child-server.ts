/**
 * A server as a child process of the test.
 *
 * - It listens on a port that was free, in a folder of its own, and is used only after it has proved to be our child: a
 *   server of another process on that port is never touched.
 * - It does not outlive the test process, however that one ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.js'
import { findBinary } from './installed-programs.js'

/** A real server that is a child of the test, on a free port of 127.0.0.1 with a folder of its own. */
export interface TestServer {
  readonly url: string
  readonly port: number
  /** The pid of the current process, which changes with `restart`. */
  readonly pid: number
  /** Ends the process and keeps port and folder for `restart`. Resolves when it has ended. Default SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and folder, ending it first if it still runs. */
  restart(): Promise<void>
  /** Freezes the process: once this has resolved, it keeps its connections but does not answer. */
  pause(): Promise<void>
  resume(): void
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
}

interface ServerRecipe {
  readonly name: string
  readonly url: (port: number) => string
  /** Called once, before the first start. */
  readonly prepare?: (folder: string) => Promise<void>
  readonly command: (port: number, folder: string) => readonly [file: string, ...args: string[]]
  /** Whether the process with this pid answers on this port. A rejection means not yet. */
  readonly isReady: (port: number, pid: number, folder: string) => Promise<boolean>
  readonly stopSignal: NodeJS.Signals
  /** The account to run it as; only root can choose. */
  readonly user?: { uid: number; gid: number }
}

const readyWithinMs = 60_000

/** The response of a server to `greeting` within a second, up to the first match of `until`. */
export const exchange = (port: number, greeting: string, until: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
      if (until.test(received)) {
        socket.destroy()
        resolve(received)
      }
    })
    socket.once('connect', () => socket.write(greeting))
    socket.once('timeout', () => fail(new Error(`no answer on port ${port}`)))
    socket.once('end', () => fail(new Error(`port ${port} hung up`)))
    socket.once('error', fail)
  })

/** Whether a server answers on that port of this machine. */
export const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })

/** The kernel ends a process started through `setpriv --pdeathsig` when its parent dies, even by SIGKILL. */
const dyingWithParent = (command: readonly [string, ...string[]]): readonly [string, ...string[]] => {
  const setpriv = process.platform === 'linux' ? findBinary('setpriv') : undefined
  return setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', '--', ...command]
}

/** The children that end with this process. They share one listener: Node warns of more than ten. */
const children = new Set<ChildProcess>()
const killChildren = () => {
  for (const child of children) child.kill('SIGKILL')
}

/** Kills the child when this process exits by itself. */
export const endWithProcess = (child: ChildProcess): void => {
  if (children.size === 0) process.once('exit', killChildren)
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.removeListener('exit', killChildren)
  })
}

/** A signal stops the threads of a process one by one; on Linux the kernel shows when the last has stopped. */
const isFrozen = async (pid: number): Promise<boolean> => {
  if (process.platform !== 'linux') return true
  const threads = await readdir(`/proc/${pid}/task`)
  const states = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => ') T')),
  )
  return states.every((stat) => stat.slice(stat.lastIndexOf(')') + 2).startsWith('T'))
}

const alive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (!alive(child)) return
  const gone = once(child, 'exit')
  const lastResort = setTimeout(() => child.kill('SIGKILL'), 5_000)
  child.kill(signal)
  // A frozen process gets its signal only when it runs again.
  child.kill('SIGCONT')
  await gone
  clearTimeout(lastResort)
}

export const startChildServer = async (recipe: ServerRecipe): Promise<TestServer> => {
  const folder = await mkdtemp(join(tmpdir(), `parlance-${recipe.name}-${process.pid}-`))
  await recipe.prepare?.(folder)

  const launch = async (port: number): Promise<ChildProcess> => {
    const [file, ...args] = dyingWithParent(recipe.command(port, folder))
    let output = ''
    const child = spawn(file, args, { ...recipe.user, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const listen = (text: Buffer) => {
      output = (output + text.toString()).slice(-2_000)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('error', (error) => listen(Buffer.from(error.message)))
    endWithProcess(child)

    const giveUpAt = performance.now() + readyWithinMs
    while (child.pid !== undefined && alive(child) && performance.now() < giveUpAt) {
      if (await recipe.isReady(port, child.pid, folder).catch(() => false)) return child
      await delay(15)
    }
    if (child.pid !== undefined) await end(child, 'SIGKILL')
    throw new Error(`${recipe.name} did not start on port ${port}: ${output.trim() || 'it printed nothing'}`)
  }

  // Another process may take the port between our check and the server's start. After a SIGKILL the server's
  // children may need a moment before its folder can be used again.
  const persistently = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let left = 4; left > 0; left--) {
      try {
        return await attempt()
      } catch {
        await delay(100)
      }
    }
    return attempt()
  }

  let port = 0
  let child = await persistently(async () => {
    port = await freePort()
    return launch(port)
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })

  return {
    url: recipe.url(port),
    port,
    get pid() {
      return child.pid ?? 0
    },
    async kill(signal = 'SIGKILL') {
      await end(child, signal)
      // Its own children may keep the port for a moment longer.
      while (await canConnect(port)) await delay(5)
    },
    async restart() {
      await end(child, recipe.stopSignal)
      child = await persistently(() => launch(port))
    },
    async pause() {
      child.kill('SIGSTOP')
      while (alive(child) && child.pid !== undefined && !(await isFrozen(child.pid))) await delay(1)
    },
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      await end(child, recipe.stopSignal)
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}
