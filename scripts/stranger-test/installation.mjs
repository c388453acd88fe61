// A `npm start` on an empty folder, as a person runs it who has just cloned the repository.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@parlance/testing'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ready = 'Ctrl-C stops it.'

/** `env` is added to its environment. Resolves to what was printed when everything runs, and to `stop`. Rejects when it ends before. */
export const startEmpty = async (folder, env = {}) => {
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: folder, PORT: String(port), PARLANCE_DATA: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGINT')
    await once(child, 'exit')
  }
  await new Promise((resolve, reject) => {
    const collect = (text) => {
      printed += text
      if (printed.includes(ready)) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.once('exit', () => reject(new Error(`npm start ended: ${printed}`)))
  })
  const find = (expression) => expression.exec(printed)?.[1]
  return {
    url: `http://127.0.0.1:${port}`,
    ownerLink: find(/^ {2}Owner {2}(\S+)/m),
    key: find(/^ {2}Key {4}(\S+)/m),
    stop,
  }
}
