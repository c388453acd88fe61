import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = join(fileURLToPath(new URL('..', import.meta.url)), 'services/standalone/dist/main.js')
const ready = 'Ctrl-C stops it.'

/** The program that `npm start` runs after the build, in a folder of its own. */
export const startStandalone = (folder: string, port: number, environment: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const serving = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      printed += text
      if (printed.includes(ready)) resolve(printed)
    })
    child.once('exit', () => reject(new Error(`it ended: ${printed}${errors}`)))
  })
  serving.catch(() => undefined)
  const ended = once(child, 'exit').then(([code]) => ({ code, errors }))
  const stop = (signal: NodeJS.Signals = 'SIGINT') => {
    child.kill(signal)
    return ended
  }
  return { child, serving, ended, stop }
}
