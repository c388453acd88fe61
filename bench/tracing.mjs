/**
 * What tracing costs: `GET /v1/voices` of two whole sets of services, one without tracing and one that samples 1 % of
 * the requests and exports them, loaded in turns. Without an exporter's address OpenTelemetry is not even loaded; what
 * the calls that are left in the code cost then is measured by itself.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noTracing } from '@parlance/telemetry'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBinary, needBuild } from './harness/installed.mjs'
import { startOtlpSink } from './harness/otlp-sink.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { medianRow } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { load } from './harness/wrk.mjs'

const options = commandLine('tracing', 'requests per second without and with tracing', {
  rounds: { type: 'number', default: 7, help: 'times each one is loaded' },
  seconds: { type: 'number', default: 4, help: 'how long each time' },
  connections: { type: 'number', default: 64, help: 'how many at once' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})

/** ns for what a request does with tracing when there is none. */
const nanosecondsOff = () => {
  const times = 2_000_000
  let sampled = 0
  const startedMs = performance.now()
  for (let i = 0; i < times; i++) if (noTracing.startSpan('GET /v1/voices', 'server') !== undefined) sampled += 1
  return ((performance.now() - startedMs + sampled) * 1e6) / times
}

const measure = async ({ url, authorizations, processes }) => {
  const before = cpuSeconds(processes.gateway.pid)
  const loaded = await load({ url: `${url}/v1/voices`, authorizations, ...wrkOptions, seconds: options.seconds })
  const cpu = cpuSeconds(processes.gateway.pid) - before
  return {
    requestsPerSecond: loaded.requests / loaded.seconds,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
    gatewayCpuSecondsPer10k: (cpu * 10_000) / loaded.requests,
  }
}

const wrkOptions = { connections: options.connections }

const run = async (folder, stops) => {
  const sink = await startOtlpSink()
  stops.push(sink)
  const start = async (name, env) => {
    const servers = await startBackingServers()
    stops.push(servers)
    await mkdir(join(folder, name))
    const product = await startParlance({ servers, folder: join(folder, name), env })
    stops.push(product)
    return { name, ...product }
  }
  const off = await start('off', {})
  const on = await start('on, 1 %', {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  })
  const both = [off, on]
  for (const { url, authorizations } of both)
    await load({ url: `${url}/v1/voices`, authorizations, ...wrkOptions, seconds: 3 })

  const inOrder = seededOrder(options.seed)
  const rows = new Map(both.map(({ name }) => [name, []]))
  for (let round = 1; round <= options.rounds; round++) {
    for (const product of inOrder(both)) rows.get(product.name).push(await measure(product))
    say(`round ${round} of ${options.rounds}`)
  }
  if (sink.received() === 0) throw new Error('No trace was exported: what was measured is not tracing.')
  return Object.fromEntries([...rows].map(([name, measured]) => [name, medianRow(measured)]))
}

needBuild(...serviceNames)
needBinary('wrk', 'wrk')

await inTemporaryFolder(async (folder) => {
  const stops = []
  try {
    const figures = await run(folder, stops)
    const [off, on] = Object.values(figures)
    const text = table(
      ['tracing', 'requests/s', 'p50 ms', 'p99 ms', 'gateway CPU-s/10k'],
      Object.entries(figures).map(([name, row]) => [
        name,
        row.requestsPerSecond.toFixed(0),
        row.p50Ms.toFixed(1),
        row.p99Ms.toFixed(1),
        row.gatewayCpuSecondsPer10k.toFixed(2),
      ]),
    )
    const offNs = nanosecondsOff()
    const goals = [
      goal('requests/s, tracing on to off', on.requestsPerSecond / off.requestsPerSecond, ' ×', atLeast(0.85)),
      goal('a call to tracing that is off', offNs, ' ns', atMost(100)),
    ]
    const { json, assert, seed } = options
    finish({ json, assert, text, figures: { seed, tracing: figures, offNs }, goals })
  } finally {
    for (const started of stops.reverse()) await started.stop()
  }
})
