/** Processes that the benchmark starts: none outlives it, and each one's CPU time can be read. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'

const running = new Set()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

/** Its output is written to the file `log`. Returns `{ pid, name, log, alive, stop }`. */
export const startProcess = ({ name, command, env = {}, cwd, log }) => {
  const output = openSync(log, 'w')
  const child = spawn(command[0], command.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const alive = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    log,
    pid: child.pid,
    alive,
    async stop() {
      if (!alive()) return
      const gone = once(child, 'exit')
      const lastResort = setTimeout(() => child.kill('SIGKILL'), 5_000)
      child.kill('SIGTERM')
      await gone
      clearTimeout(lastResort)
    },
  }
}

/** The end of what a process printed, for the message about its failure. */
export const lastWords = ({ log }) => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-12).join('\n')

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU seconds that a process with all its threads, but not its children, has used so far. */
export const cpuSeconds = (pid) => cpuSecondsIn(`/proc/${pid}/stat`)

const cpuSecondsIn = (file) => {
  const stat = readFileSync(file, 'utf8')
  // The second field is the command in parentheses and may contain anything; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
