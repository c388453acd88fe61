import { join } from 'node:path'
import { cpuSeconds, lastWords, startProcess } from './child-process.mjs'
import { root } from './installed.mjs'
import { eventually } from './waiting.mjs'

export const serviceNames = ['auth', 'agents', 'tokens', 'catalog', 'tts', 'gateway']

/** The pepper of API keys. It protects nothing outside of the benchmark. */
const pepper = '1:a-pepper-for-benchmarks-only'

/** The credit of each workspace: more than any benchmark spends. */
const credit = '1000000'

/** Long enough for a machine that is busy otherwise. */
const startWithinMs = 60_000

const ownSpeech = 'services/tts/dist/main.js'

/** Creates `workspaces` workspaces with credit over the bus, as operators do, and resolves with `keys` API keys of each. */
const createApiKeys = async (natsUrl, { keys, workspaces }) => {
  const { connectNatsBus, createClient } = await import('@parlance/bus')
  const { authContract, creditContract } = await import('@parlance/contracts')
  const bus = await connectNatsBus({ url: natsUrl, name: 'bench' })
  try {
    const auth = createClient(bus, authContract)
    const createKeys = async () => {
      const create = () =>
        auth.createWorkspace({
          name: 'bench',
          capabilities: ['tts', 'stt', 'agents'],
          max_concurrent_sessions: 0,
          max_concurrent_streams: 0,
        })
      const workspace = await eventually('a workspace', create, { withinMs: startWithinMs })
      await eventually('credit', () =>
        createClient(bus, creditContract).grant({ workspace_id: workspace.id, amount: credit, reference: 'bench' }),
      )
      const createKey = async () => (await auth.createKey({ workspace_id: workspace.id, label: 'bench' })).key
      return Promise.all(Array.from({ length: keys }, createKey))
    }
    return (await Promise.all(Array.from({ length: workspaces }, createKeys))).flat()
  } finally {
    await bus.close()
  }
}

const state = (running) => (running.alive() ? `${cpuSeconds(running.pid).toFixed(1)} s of CPU so far` : 'ended')

/** Waits up to a minute, as a start takes two seconds of CPU and cores may be busy. Rejects at once when a process has ended. */
const untilReady = async (processes, metricsOfServices) => {
  const hasEnded = () => Object.values(processes).find((running) => !running.alive())
  await eventually(
    'the readiness of all services',
    async () => {
      if (hasEnded() !== undefined) return true
      for (const address of metricsOfServices) {
        if (!(await fetch(address.replace('/metrics', '/readyz'))).ok) return false
      }
      return true
    },
    { withinMs: 60_000 },
  )
  const ended = hasEnded()
  if (ended !== undefined) throw new Error(`${ended.name} ended.`)
}

/**
 * Starts the services over the given servers, each as a process of its own. `nodeArgs` are options of Node for the gateway,
 * `env` are variables of all services. With the folder `profile` each process writes a CPU profile there. `speech` is the
 * program that speaks, by default that of the tts service. `replicas` has the number of processes of each service that has more
 * than one: the second of sessions is `sessions-2`. Resolves when all are ready and a request with a key lists voices: `{ url,
 * headers, authorizations, processes, metrics, workerMetrics, stop }`, where `metrics` holds the address of each service's.
 */
export const startParlance = async ({
  servers,
  folder,
  env = {},
  nodeArgs = [],
  profile = '',
  keys = 1,
  workspaces = 1,
  replicas = {},
  speech = ownSpeech,
  services = serviceNames,
}) => {
  const { freePort } = await import('@parlance/testing')
  const port = await freePort()
  const processes = {}
  const workerMetrics = []
  const metrics = {}
  const more = Object.entries(replicas).flatMap(([service, count]) =>
    Array.from({ length: count - 1 }, (_, n) => [`${service}-${n + 2}`, service]),
  )
  for (const [name, service] of [...services.map((one) => [one, one]), ...more]) {
    const healthPort = await freePort()
    metrics[name] = `http://127.0.0.1:${healthPort}/metrics`
    if (service === 'tts') workerMetrics.push(`http://127.0.0.1:${healthPort}/metrics`)
    processes[name] = startProcess({
      name,
      command: [
        process.execPath,
        ...(service === 'gateway' ? nodeArgs : []),
        ...(profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`]),
        join(root, service === 'tts' ? speech : `services/${service}/dist/main.js`),
      ],
      env: {
        ...servers.env,
        API_KEY_PEPPERS: pepper,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        HEALTH_PORT: String(healthPort),
        LOG_LEVEL: 'info',
        // Benchmarks send more requests than a workspace may.
        RATE_LIMIT_PER_MINUTE: '0',
        // Speech from the cache would not be synthesized.
        TTS_CACHE_MEGABYTES: '0',
        // Other engines would use CPU beside the engine that is measured.
        TTS_INSTALLED_ENGINES: 'false',
        ...env,
      },
      log: join(folder, `${name}.log`),
    })
  }
  const stop = async () => {
    await Promise.all(Object.values(processes).map((running) => running.stop()))
  }
  const onFailure = () =>
    Object.values(processes)
      .map((running) => `--- ${running.name} (${state(running)})\n${lastWords(running)}`)
      .join('\n')
  const url = `http://127.0.0.1:${port}`
  try {
    // A speech program of a benchmark has no health port.
    await untilReady(
      processes,
      Object.values(metrics).filter((address) => speech === ownSpeech || !workerMetrics.includes(address)),
    )
    const authorizations = (await createApiKeys(servers.env.NATS_URL, { keys, workspaces })).map(
      (key) => `Bearer ${key}`,
    )
    const headers = { authorization: authorizations[0] }
    await eventually('a list of voices', async () => {
      const response = await fetch(`${url}/v1/voices`, { headers })
      return response.ok && (await response.json()).voices.length > 0
    })
    return { url, headers, authorizations, processes, metrics, workerMetrics, stop }
  } catch (error) {
    const words = onFailure()
    await stop()
    throw new Error(`Parlance did not start: ${error.message}\n${words}`)
  }
}
