import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const servesWithinMs = 180_000
const endsWithinMs = 40_000

const program = new URL('../../services/standalone/dist/main.js', import.meta.url).pathname

/** The address and the key, once they are written and voices are listed; undefined until then. */
const readiness = async (folder) => {
  try {
    const { url, api_key: key } = JSON.parse(readFileSync(join(folder, 'dev.json'), 'utf8'))
    const response = await fetch(`${url}/v1/voices`, { headers: { authorization: `Bearer ${key}` } })
    return response.ok && (await response.json()).voices.length > 0 ? { url, key } : undefined
  } catch {
    return undefined
  }
}

/**
 * All of Parlance in a process of its own, with its data and its log in `folder`. Resolves to `{ url, key, lines, whyEnded,
 * stop }`.
 */
export const startStandalone = async (folder, port) => {
  const logFile = join(folder, 'standalone.log')
  const output = openSync(logFile, 'w')
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      PARLANCE_DATA: folder,
      // A limit that is never reached, although the headers of responses still count requests.
      RATE_LIMIT_PER_MINUTE: '1000000',
      // Do not wait for conversations at the end.
      SESSION_DRAIN_MS: '0',
      STREAM_DRAIN_MS: '0',
    },
    stdio: ['ignore', output, output],
  })
  const ended = once(child, 'exit')
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const stop = async () => {
    if (!isAlive()) return
    child.kill('SIGTERM')
    const lastResort = setTimeout(() => child.kill('SIGKILL'), endsWithinMs)
    await ended
    clearTimeout(lastResort)
  }
  process.once('exit', () => child.kill('SIGKILL'))

  const giveUpAtMs = performance.now() + servesWithinMs
  while (isAlive() && performance.now() < giveUpAtMs) {
    const ready = await readiness(folder)
    // The log has lines of JSON, and what is printed for people.
    const lines = () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line))
    /** The end of its log if it has ended without being stopped. */
    const whyEnded = () => (isAlive() ? undefined : readFileSync(logFile, 'utf8').slice(-2000))
    if (ready !== undefined) return { ...ready, lines, whyEnded, stop }
    await delay(50)
  }
  await stop()
  throw new Error(`Parlance did not serve:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}
