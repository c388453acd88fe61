import { join } from 'node:path'

/** All in one process on embedded defaults but for `env`, with its data in `folder`. Resolves to `{ pid, url, headers, stop }`. */
export const startStandalone = async ({ folder, env = {} }) => {
  const testing = await import('@parlance/testing')
  const { child, serving, stop } = testing.startStandalone(folder, await testing.freePort(), {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PARLANCE_DATA: join(folder, 'data'),
    // The cache is off, as synthesis is measured.
    TTS_CACHE_MEGABYTES: '0',
    ...env,
  })
  const { url, headers } = await serving
  return { pid: child.pid, url, headers, stop }
}
