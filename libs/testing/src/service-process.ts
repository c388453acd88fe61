/** A service of this repository as a child process of the test. It does not outlive the test process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { endWithProcess } from './child-server.js'

/** The same from this file in `src` and in `dist`. */
const services = new URL('../../../services/', import.meta.url)

/**
 * Starts `services/<name>/dist/main.js` with this environment and `PATH`. Resolves when the service logs that it has started;
 * rejects with the end of its log when it ends before. `onOutput` receives its log in chunks of any length.
 */
export const startServiceProcess = async (
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  onOutput: (text: string) => void = () => {},
): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}/dist/main.js`, services))], {
    // A busy machine may take long to connect to the servers.
    env: { PATH: process.env.PATH, STARTUP_WAIT_MS: '120000', ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithProcess(child)

  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      onOutput(text)
      output = (output + text).slice(-10_000)
      if (output.includes('service started')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`The service ${name} did not start: ${output}`)))
  })
  return child
}

/** Sends the signal unless the process has ended. Resolves to its exit code, which is null after a signal that ended it. */
export const endProcess = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}
