import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import type { Environment } from '@parlance/runtime/installation'
import { exitProcess, StartupError } from '@parlance/runtime/process'
import { createProgress, type Progress } from './command.js'
import { type CommandLineEnvironment, runCommandLine } from './command-line.js'
import { findApi, findGatewayUrl } from './find-api.js'
import { type OpenOptions, openOperatorCalls, openRunningCalls } from './open-operator-calls.js'
import type { OperatorCalls } from './operator-calls.js'
import { type Profiles, readProfiles, withProfile, writeProfiles } from './profiles.js'

const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/**
 * A terminal sends Ctrl-C to npx and to its child, and npx passes it on. A signal this soon after the first is the same key
 * press.
 */
const samePressWithinMs = 500

/** The time limit for ending the work of a command after a signal. */
const leaveWithinMs = 20_000

/** What commands of other packages need of the process. */
interface ProcessTools {
  readonly environment: Environment
  /** Aborted by a signal of the operator. */
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Asks a person; undefined when none is at a terminal. */
  readonly confirm: ((question: string, isDefault?: boolean) => Promise<boolean>) | undefined
  printError(text: string): void
  /** Whether the output may have colors. */
  readonly isColored: boolean
  /** Calls to services that run; undefined when none are running. */
  openRunningCalls(): Promise<OperatorCalls | undefined>
}

/** What a checkout and the image have beside this package. */
export interface Installation extends Pick<OpenOptions, 'startServices'> {
  addCommands(tools: ProcessTools): NonNullable<CommandLineEnvironment['addCommands']>
}

/** Runs the command line of this process to its end, and ends the process. */
export const runProcess = async (installation?: Installation): Promise<void> => {
  const { stdin, stdout, stderr } = process
  const left = new AbortController()
  let leavingSinceMs: number | undefined
  let exitCodeOfLeaving = 0

  const leave = (signal: keyof typeof exitCodeOf) => {
    if (leavingSinceMs === undefined) {
      leavingSinceMs = performance.now()
      exitCodeOfLeaving = exitCodeOf[signal]
      left.abort()
      setTimeout(exitProcess, leaveWithinMs, exitCodeOfLeaving).unref()
    } else if (performance.now() - leavingSinceMs > samePressWithinMs) exitProcess(exitCodeOf[signal])
  }
  process.on('SIGINT', leave).on('SIGTERM', leave)
  // SIGHUP means that the terminal was closed. Without a terminal it may be ignored on purpose, as under nohup.
  if (isatty(0)) process.on('SIGHUP', leave)
  // The reader of the output, such as `head`, has ended.
  stdout.on('error', () => exitProcess(0))
  // There is no other place for error messages.
  stderr.on('error', () => {})

  const { signal } = left
  const progress = createProgress(stderr)
  const print = (text: string) => {
    progress('')
    stdout.write(text)
  }
  const printError = (text: string) => {
    progress('')
    // After a signal, errors of the aborted work are not helpful.
    if (!signal.aborted) stderr.write(text)
  }
  const note = (line: string) => printError(`${line}\n`)
  const ask = async (question: string): Promise<string> => {
    const terminal = createInterface({ input: stdin, output: stderr })
    return (await terminal.question(question, { signal }).finally(() => terminal.close())).trim()
  }
  const confirm = async (question: string, isDefault = false): Promise<boolean> => {
    const answer = await ask(question)
    return answer === '' ? isDefault : /^y(es)?$/i.test(answer)
  }
  const canAsk = stdin.isTTY && stderr.isTTY
  const isColored = stdout.isTTY && stdout.hasColors()
  const { startServices } = installation ?? {}

  const start = async (): Promise<CommandLineEnvironment> => {
    const environment = await withProfile(process.env)
    const openRunning = () => openRunningCalls({ environment, signal })
    const findAccess = async () => {
      const { url, key: apiKey } = await findApi(environment)
      if (url !== undefined && apiKey !== undefined) return { url, apiKey }
      throw new StartupError([
        'The API was not found. Run npm start here, choose a profile, or set PUBLIC_URL to its address and PARLANCE_API_KEY to a key.',
      ])
    }
    const openTestedPlatform = async () => {
      const access = await findAccess()
      const calls = await openRunning()
      return { ...access, calls, close: async () => calls?.close() }
    }
    const { PARLANCE_API_KEY: givenKey } = process.env
    const profiles = {
      read: () => readProfiles(environment),
      write: (changed: Profiles) => writeProfiles(environment, changed),
      readKey: async () => givenKey || (canAsk ? ask('API key: ') : undefined),
    }
    return {
      openCalls: () => openOperatorCalls({ environment, signal, startServices, note, progress }),
      openTestedPlatform,
      async findToolKey() {
        const toolKey = await import('./find-tool-key.js')
        return toolKey.findToolKey(environment)
      },
      findGatewayUrl: () => findGatewayUrl(environment),
      findApi: findAccess,
      profiles,
      progress,
      print,
      printError,
      width: stdout.isTTY ? stdout.columns : undefined,
      addCommands: installation?.addCommands({
        ...{ environment, signal, progress, printError, isColored, openRunningCalls: openRunning },
        confirm: canAsk ? confirm : undefined,
      }),
    }
  }
  const exitCode = await start().then(
    (environment) => runCommandLine(process.argv.slice(2), environment),
    (error: unknown) => {
      if (!(error instanceof StartupError)) throw error
      for (const line of error.lines) printError(`error: ${line}\n`)
      return 1
    },
  )
  progress('')
  // The callback runs when everything is written.
  stdout.write('', () => exitProcess(signal.aborted ? exitCodeOfLeaving : exitCode))
}
