/** All of Parlance in one process, as `npm start` runs it, as a child of the test. It does not outlive the test process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWithProcess } from './child-server.js'

/** The same from this file in `src` and in `dist`. */
const standalone = fileURLToPath(new URL('../../../services/standalone/dist/main.js', import.meta.url))
const ready = 'Ctrl-C stops it.'

/**
 * Starts it in a folder, which has its data, with `environment` and `PATH`. `program` is the script to run when it is not the
 * built one. `serving` rejects when the process ends before it serves.
 */
export const startStandalone = (
  folder: string,
  port: number,
  environment: Readonly<Record<string, string | undefined>> = {},
  program = standalone,
) => {
  const url = `http://127.0.0.1:${port}`
  const dataFolder = environment.PARLANCE_DATA ?? join(folder, '.parlance')
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithProcess(child)
  let printed = ''
  let errors = ''
  const exited = once(child, 'exit')
  const printedReady = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.includes(ready)) resolve()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.once('exit', () => reject(new Error(`Parlance ended: ${printed}${errors}`)))
  })
  /** Its address, the development key, and what it has printed so far. */
  const serving = printedReady.then(async () => {
    const { api_key: key } = JSON.parse(await readFile(join(dataFolder, 'dev.json'), 'utf8'))
    return { url, key: key as string, headers: { authorization: `Bearer ${key}` }, printed }
  })
  serving.catch(() => undefined)
  const ended = exited.then(([code]) => ({ code: code as number | null, errors }))
  return {
    child,
    serving,
    ended,
    /** What it has printed and logged. */
    output: () => printed + errors,
    /** Sends the signal unless the process has ended. */
    stop(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal)
      return ended
    },
  }
}
