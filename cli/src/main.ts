import { runCommandLine } from './command-line.js'
import { migrateDatabases } from './migrate-databases.js'
import { openOperatorCalls } from './open-operator-calls.js'
import { orAborted } from './or-aborted.js'

const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** A terminal sends Ctrl-C to npx and to its child, and npx passes it on: what follows so soon is the same key press. */
const samePressWithinMs = 500

const left = new AbortController()
let leavingSinceMs: number | undefined
let exitCodeOfLeaving = 0

const leave = (signal: keyof typeof exitCodeOf) => {
  if (leavingSinceMs === undefined) {
    leavingSinceMs = performance.now()
    exitCodeOfLeaving = exitCodeOf[signal]
    left.abort()
  } else if (performance.now() - leavingSinceMs > samePressWithinMs) process.exit(exitCodeOf[signal])
}
process.on('SIGINT', leave).on('SIGTERM', leave)
// A closed terminal; without one the signal may be ignored on purpose, as under nohup.
if (process.stdin.isTTY) process.on('SIGHUP', leave)
// A reader that has seen enough, such as `head`.
process.stdout.on('error', () => process.exit(0))

const { stdout, stderr } = process
const environment = process.env
const printError = (text: string) => {
  // Who has left needs not be told that what he left was not done.
  if (!left.signal.aborted) stderr.write(text)
}
const exitCode = await runCommandLine(process.argv.slice(2), {
  openCalls: () => openOperatorCalls({ environment, signal: left.signal, note: (line) => printError(`${line}\n`) }),
  migrate: () => orAborted(left.signal, migrateDatabases(environment)),
  print: (text) => stdout.write(text),
  printError,
  width: stdout.isTTY ? stdout.columns : undefined,
})
if (left.signal.aborted) process.exit(exitCodeOfLeaving)
// Ends by itself when the output is written.
process.exitCode = exitCode
