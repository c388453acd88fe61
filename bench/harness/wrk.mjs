import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { needBinary } from './installed.mjs'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./wrk-report.lua', import.meta.url))

/**
 * Loads a URL for some seconds from one thread, without a body; `authorizations` are header values that take turns. Resolves to
 * `{ requests, seconds, p50Ms, p99Ms }`; rejects when a request failed, as the figures would be wrong.
 */
export const load = async ({ url, authorizations = [], connections, seconds, method = 'GET' }) => {
  const settings = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--script', script]
  const { stdout } = await run(needBinary('wrk', 'wrk'), [...settings, url, '--', ...authorizations], {
    env: { ...process.env, LOAD_METHOD: method },
  })
  const { failed, ...figures } = JSON.parse(/^REPORT (.*)$/m.exec(stdout)[1])
  const failures = Object.entries(failed).filter(([, count]) => count > 0)
  if (failures.length === 0) return figures
  const kinds = failures.map(([kind, count]) => `${kind} ${count}`).join(', ')
  throw new Error(`requests to ${url} failed under load: ${kinds}, of ${figures.requests}`)
}
