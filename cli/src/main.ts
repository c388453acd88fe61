import { isatty } from 'node:tty'
import { tryModel } from '@parlance/engine-sherpa-onnx'
import { exitProcess } from '@parlance/runtime'
import { runCommandLine } from './command-line.js'
import { findModels } from './find-models.js'
import { findToolKey } from './find-tool-key.js'
import { migrateDatabases } from './migrate-databases.js'
import { openOperatorCalls } from './open-operator-calls.js'
import { orAborted } from './or-aborted.js'
import { createProgress } from './progress.js'

const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** A terminal sends Ctrl-C to npx and to its child, and npx passes it on: what follows so soon is the same key press. */
const samePressWithinMs = 500

/** What a command has started gets this long to end after a signal. */
const leaveWithinMs = 20_000

/** A big model on a slow disk. */
const modelTimeoutMs = 300_000

const { stdout, stderr } = process
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
// A closed terminal; without one the signal may be ignored on purpose, as under nohup.
if (isatty(0)) process.on('SIGHUP', leave)
// A reader that has seen enough, such as `head`.
stdout.on('error', () => exitProcess(0))
// Nowhere is left to complain.
stderr.on('error', () => {})

const environment = process.env
const progress = createProgress(stderr)
const print = (text: string) => {
  progress('')
  stdout.write(text)
}
const printError = (text: string) => {
  progress('')
  // Who has left needs not be told that what he left was not done.
  if (!left.signal.aborted) stderr.write(text)
}
const note = (line: string) => printError(`${line}\n`)
const exitCode = await runCommandLine(process.argv.slice(2), {
  openCalls: () => openOperatorCalls({ environment, signal: left.signal, note, progress }),
  migrate: () => orAborted(left.signal, migrateDatabases(environment, progress)),
  models: {
    findModels,
    tryModel: (folder, threads) =>
      orAborted(left.signal, tryModel(folder, { threads, timeoutMs: modelTimeoutMs, signal: left.signal })),
  },
  findToolKey: () => findToolKey(environment),
  progress,
  print,
  printError,
  width: stdout.isTTY ? stdout.columns : undefined,
})
progress('')
// All is written then.
stdout.write('', () => exitProcess(left.signal.aborted ? exitCodeOfLeaving : exitCode))
