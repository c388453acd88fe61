/**
 * What it costs to mint a session token: `POST /v1/agents/{agentId}/session-tokens` through gateway, NATS, tokens and
 * agents (key check, the published Agent, credit), beside the one write to Redis that is left of it in the end. All take
 * turns with the same number of requests at once, in random order in each round.
 */

import { randomBytes } from 'node:crypto'
import { connectRedisTtlStore } from '@parlance/store'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBinary, needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { medianRow, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { load } from './harness/wrk.mjs'

const options = commandLine('mint', 'session tokens per second, beside the raw Redis SET', {
  rounds: { type: 'number', default: 7, help: 'times each one is loaded' },
  seconds: { type: 'number', default: 3, help: 'how long each time' },
  connections: { type: 'number', default: 64, help: 'how many at once' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})

/** An Agent that is published and ready. */
const publishAgent = async (url, headers) => {
  const post = async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { voices } = await (await fetch(`${url}/v1/voices`, { headers })).json()
  const [{ id: voice_id, variants }] = voices
  const { id } = await post('/v1/agents', {
    ...{ slug: 'bench', display_name: 'Bench', llm_provider: 'builtin', llm_model: 'rules' },
    ...{ voice_id, voice_config: { tts_variant: variants[0].id } },
  })
  await post(`/v1/agents/${id}/publish`, {})
  return id
}

/** Writes of a record as large as a token's, each under a key of its own. */
const loadRedis = async (ttl) => {
  const record = 'x'.repeat(260)
  const endMs = performance.now() + options.seconds * 1000
  const tookMs = []
  const lane = async () => {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      await ttl.set(`tokens:{${randomBytes(32).toString('hex')}}`, record, 4_500_000)
      const doneMs = performance.now()
      tookMs.push(doneMs - nowMs)
      nowMs = doneMs
    }
  }
  await Promise.all(Array.from({ length: options.connections }, lane))
  return { perSecond: tookMs.length / options.seconds, p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) }
}

const run = async (folder, stops) => {
  const servers = await startBackingServers()
  stops.push(servers)
  const product = await startParlance({ servers, folder })
  stops.push(product)
  const ttl = await connectRedisTtlStore({ url: servers.redis.url })
  stops.push({ stop: () => ttl.close() })
  const { url, headers, authorizations, processes } = product
  const target = `${url}/v1/agents/${await publishAgent(url, headers)}/session-tokens`
  const mint = async (connections) => {
    const before = ['gateway', 'tokens', 'agents'].map((name) => cpuSeconds(processes[name].pid))
    const loaded = await load({ url: target, method: 'POST', authorizations, connections, seconds: options.seconds })
    const cpu = ['gateway', 'tokens', 'agents'].map((name, n) => cpuSeconds(processes[name].pid) - before[n])
    const cpuPer10k = cpu.map((seconds) => (seconds * 10_000) / loaded.requests)
    return {
      perSecond: loaded.requests / loaded.seconds,
      ...{ p50Ms: loaded.p50Ms, p99Ms: loaded.p99Ms },
      ...{ gatewayCpu: cpuPer10k[0], tokensCpu: cpuPer10k[1], agentsCpu: cpuPer10k[2] },
    }
  }
  const contestants = {
    'Redis SET': () => loadRedis(ttl),
    mint: () => mint(options.connections),
    'mint, 1 connection': () => mint(1),
  }
  await mint(options.connections)
  const inOrder = seededOrder(options.seed)
  const rows = new Map(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of inOrder(Object.keys(contestants))) rows.get(name).push(await contestants[name]())
    say(`round ${round} of ${options.rounds}`)
  }
  const spread = (name) => {
    const rates = rows.get(name).map(({ perSecond }) => perSecond)
    return (percentile(rates, 0.9) - percentile(rates, 0.1)) / percentile(rates, 0.5)
  }
  return Object.fromEntries([...rows].map(([name, all]) => [name, { ...medianRow(all), spread: spread(name) }]))
}

needBuild(...serviceNames)
needBinary('wrk', 'wrk')

await inTemporaryFolder(async (folder) => {
  const stops = []
  try {
    const figures = await run(folder, stops)
    const number = (value, digits) => (value === undefined ? '' : value.toFixed(digits))
    const text = table(
      ['', 'per second', 'spread', 'p50 ms', 'p99 ms', 'CPU-s/10k: gateway', 'tokens', 'agents'],
      Object.entries(figures).map(([name, row]) => [
        name,
        number(row.perSecond, 0),
        `${number(row.spread * 100, 0)} %`,
        number(row.p50Ms, 2),
        number(row.p99Ms, 1),
        number(row.gatewayCpu, 2),
        number(row.tokensCpu, 2),
        number(row.agentsCpu, 2),
      ]),
    )
    const { mint } = figures
    const goals = [
      goal('CPU of all three services', mint.gatewayCpu + mint.tokensCpu + mint.agentsCpu, ' s/10k', atMost(8)),
    ]
    const { json, assert, seed } = options
    finish({ json, assert, text, figures: { seed, ...figures }, goals })
  } finally {
    for (const started of stops.reverse()) await started.stop()
  }
})
