import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { leftOf, startedBy, stillRunning } from './processes.mjs'

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** The printed command, with the lines that a backslash continues. */
const curlLineIn = (output) => /^[ \t]*(curl (?:.*\\\n)*.*)\n/m.exec(output)?.[1]

/** A command that ends with `npm start`, in `folder` and in a process group of its own, as from a terminal. */
export const npmStart = ({ command, folder, environment, account }) => {
  const mark = `PARLANCE_SMOKE_TEST=${randomBytes(8).toString('hex')}`
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { ...environment, ...Object.fromEntries([mark.split('=')]) },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  let output = ''
  let started = []
  const collect = (text) => {
    output += text.replace(escapes, '')
    child.emit('printed')
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))

  return {
    /** Resolves to its exit code, the signal that ended it, and all it printed. */
    ended,

    /** Rejects with all it printed when it ends, or the time is up, before there is such a line. */
    printedCurlLine: (limitMs) =>
      new Promise((resolve, reject) => {
        const fail = (how) => reject(new Error(`npm start ${how} and printed no curl line:\n${output}`))
        const timer = setTimeout(() => fail(`ran for ${limitMs / 1000} s`), limitMs)
        const look = () => {
          const line = curlLineIn(output)
          if (line === undefined) return
          clearTimeout(timer)
          resolve(line)
        }
        child.on('printed', look)
        ended.then(({ code }) => {
          clearTimeout(timer)
          fail(`ended with ${code}`)
        })
        look()
      }),

    /** Ctrl-C, as a terminal sends it. Resolves to how it ended, what it had started, and what it left running. */
    async interrupt() {
      started = startedBy(child.pid, mark)
      process.kill(-child.pid, 'SIGINT')
      const { code, signal } = await ended
      return { code, signal, started, left: await leftOf(started, mark) }
    },

    /** In every case, no process of it is left afterwards. */
    async destroy() {
      if (child.exitCode === null && child.signalCode === null) started = startedBy(child.pid, mark)
      for (const { pid } of stillRunning(started, mark)) process.kill(pid, 'SIGKILL')
      await ended
    },
  }
}
