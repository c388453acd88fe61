import { relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { orAborted } from '@parlance/async'
import { modelsDirOf } from '@parlance/runtime/installation'
import { exitProcess, StartupError } from '@parlance/runtime/process'
import { createProgress } from './command.js'
import { runCommandLine } from './command-line.js'
import type { DiagnoseOptions } from './doctor/diagnose.js'
import { findApi, findGatewayUrl } from './find-api.js'
import { openOperatorCalls, openRunningCalls } from './open-operator-calls.js'

const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/**
 * A terminal sends Ctrl-C to npx and to its child, and npx passes it on. A signal this soon after the first is the same key
 * press.
 */
const samePressWithinMs = 500

/** The time limit for ending the work of a command after a signal. */
const leaveWithinMs = 20_000

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

const environment = process.env
const progress = createProgress(stderr)
const print = (text: string) => {
  progress('')
  stdout.write(text)
}
const printError = (text: string) => {
  progress('')
  // After a signal, errors of the aborted work are not helpful.
  if (!left.signal.aborted) stderr.write(text)
}
const note = (line: string) => printError(`${line}\n`)
const confirm = async (question: string, isDefault = false): Promise<boolean> => {
  const terminal = createInterface({ input: stdin, output: stderr })
  const answer = await terminal.question(question, { signal: left.signal }).finally(() => terminal.close())
  return answer.trim() === '' ? isDefault : /^y(es)?$/i.test(answer.trim())
}
/** Relative to the working folder if the path is in it, which is easier to read. */
const nearest = (path: string): string => {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}
const modelsDir = nearest(modelsDirOf(environment))
// Modules that few commands need are loaded on demand: loading them takes longer than the rest of a command.
const openModels = async () => {
  const { createModelTools } = await import('./models/model-tools.js')
  return createModelTools(modelsDir, left.signal)
}
const findToolKey = async () => {
  const toolKey = await import('./find-tool-key.js')
  return toolKey.findToolKey(environment)
}
const migrate = async () => {
  const { migrateDatabases } = await import('./migrate-databases.js')
  return orAborted(migrateDatabases(environment, progress), left.signal)
}
const diagnose = async (options: DiagnoseOptions) => {
  const doctor = await import('./doctor/diagnose.js')
  const { signal } = left
  const models = await openModels()
  return orAborted(doctor.diagnose(options, { environment, models, modelsDir, progress, signal }), signal)
}
const openTestedPlatform = async () => {
  const calls = await openRunningCalls({ environment, signal: left.signal })
  const { url, key: apiKey } = await findApi(environment)
  if (calls === undefined) throw new StartupError(['No Parlance is running here. Run npm start, or set NATS_URL.'])
  if (url === undefined || apiKey === undefined) {
    throw new StartupError(['The API was not found. Set PUBLIC_URL to its address and PARLANCE_API_KEY to a key.'])
  }
  return { url, apiKey, calls, close: calls.close }
}
const exitCode = await runCommandLine(process.argv.slice(2), {
  openCalls: () => openOperatorCalls({ environment, signal: left.signal, note, progress }),
  openRunningCalls: () => openRunningCalls({ environment, signal: left.signal }),
  openTestedPlatform,
  migrate,
  openModels,
  modelsDir,
  findToolKey,
  findGatewayUrl: () => findGatewayUrl(environment),
  diagnose,
  progress,
  confirm: stdin.isTTY && stderr.isTTY ? confirm : undefined,
  print,
  printError,
  width: stdout.isTTY ? stdout.columns : undefined,
  isColored: stdout.isTTY && stdout.hasColors(),
})
progress('')
// The callback runs when everything is written.
stdout.write('', () => exitProcess(left.signal.aborted ? exitCodeOfLeaving : exitCode))
