import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastWords, startProcess } from './child-process.mjs'
import { root } from './installed.mjs'
import { eventually } from './waiting.mjs'

/** All in one process on embedded defaults but for `env`, with its data in `folder`. Resolves to `{ pid, url, headers, stop }`. */
export const startStandalone = async ({ folder, env = {} }) => {
  const { freePort } = await import('@parlance/testing')
  const port = await freePort()
  const data = join(folder, 'data')
  const running = startProcess({
    name: 'standalone',
    command: [process.execPath, join(root, 'services/standalone/dist/main.js')],
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PARLANCE_DATA: data,
      // The cache is off, as synthesis is measured.
      TTS_CACHE_MEGABYTES: '0',
      ...env,
    },
    cwd: folder,
    log: join(folder, 'standalone.log'),
  })
  const url = `http://127.0.0.1:${port}`
  try {
    const headers = await eventually(
      'the development key',
      () => ({ authorization: `Bearer ${JSON.parse(readFileSync(join(data, 'dev.json'), 'utf8')).api_key}` }),
      { withinMs: 120_000, onFailure: () => lastWords(running) },
    )
    await eventually(
      'a list of voices',
      async () => {
        const response = await fetch(`${url}/v1/voices`, { headers })
        return response.ok && (await response.json()).voices.length > 0
      },
      { withinMs: 120_000, onFailure: () => lastWords(running) },
    )
    return { pid: running.pid, url, headers, stop: () => running.stop() }
  } catch (error) {
    await running.stop()
    throw error
  }
}
