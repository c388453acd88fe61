import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { cpuSeconds, lastWords, startProcess } from './child-process.mjs'
import { root } from './installed.mjs'
import { processTree } from './process-memory.mjs'
import { sum } from './statistics.mjs'
import { eventually } from './waiting.mjs'

/**
 * The path of speech without Parlance: engines, a worker, NATS, a gateway and the WebSocket, with as many engines as a worker
 * has by default. Resolves to `{ target, cpu, stop }`, of which `cpu` returns the seconds used so far,
 * by name.
 */
export const startBareSpeechPath = async ({ servers, folder, implementation }) => {
  const { freePort } = await import('@parlance/testing')
  const port = await freePort()
  const start = (name, env) =>
    startProcess({
      name,
      command: [process.execPath, join(root, `bench/harness/${name}.mjs`)],
      env: { NODE_ENV: 'production', NATS_URL: servers.env.NATS_URL, SUBJECT: 'bench.speech', ...env },
      log: join(folder, `${name}.log`),
    })
  const worker = start('bare-speech-worker', {
    ENGINES: String(availableParallelism() + 1),
    IMPLEMENTATION: implementation,
  })
  const gateway = start('bare-speech-gateway', { PORT: String(port) })
  for (const running of [worker, gateway]) {
    const isReady = () => readFileSync(running.log, 'utf8').includes('ready')
    await eventually(`the readiness of ${running.name}`, isReady, { onFailure: () => lastWords(running) })
  }
  return {
    target: { url: `http://127.0.0.1:${port}`, authorization: 'Bearer any' },
    cpu() {
      const [own, ...engines] = processTree(worker.pid)
      return {
        engines: sum(engines.map(cpuSeconds)),
        worker: cpuSeconds(own),
        NATS: cpuSeconds(servers.nats.pid),
        gateway: cpuSeconds(gateway.pid),
      }
    },
    stop: () => Promise.all([worker.stop(), gateway.stop()]),
  }
}
