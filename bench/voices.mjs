/**
 * The time and the CPU of a request through gateway, bus and service.
 *
 * `GET /v1/voices` of Parlance as it is deployed (key check, request id, access log, metrics) against NestJS and
 * Moleculer that serve the same JSON bare. All run at once and only one is loaded at a time; rounds are interleaved in
 * random order, so that other load of the machine affects all alike; figures are medians over rounds.
 */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds, lastWords, startProcess } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBinary, needBuild, root } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { startPeers } from './harness/peers.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { medianRow } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { eventually } from './harness/waiting.mjs'
import { load } from './harness/wrk.mjs'

const options = commandLine('GET /v1/voices against NestJS and Moleculer', {
  rounds: { type: 'number', default: 5, help: 'times each one is loaded' },
  seconds: { type: 'number', default: 4, help: 'how long each time' },
  connections: { type: 'number', default: 64, help: 'how many at once' },
  keys: { type: 'number', default: 16, help: 'API keys that take turns' },
  limit: { type: 'string', default: '', help: 'list only so many voices, for a smaller body; all if not given' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
  profile: { type: 'string', default: '', help: 'a folder for a CPU profile of each service' },
})

const path = options.limit === '' ? '/v1/voices' : `/v1/voices?limit=${options.limit}`

const startBareGateway = async ({ natsUrl, folder, service }) => {
  const { freePort } = await import('@parlance/testing')
  const port = await freePort()
  const gateway = startProcess({
    name: 'node:http, same bus',
    command: [process.execPath, join(root, 'bench/harness/bare-gateway.mjs')],
    env: { NODE_ENV: 'production', NATS_URL: natsUrl, PORT: String(port), LIMIT: options.limit },
    log: join(folder, 'bare-gateway.log'),
  })
  return { name: 'node:http, same bus, bare', url: `http://127.0.0.1:${port}`, gateway, service }
}

/** Peers parse and print the body again, so they cost more the larger it is. */
const wholeListGoals = { nest: 3.5, moleculer: 2.4, nestCpu: 0.25 }
const smallPageGoals = { nest: 2.8, moleculer: 1.6, nestCpu: 0.32 }

/** The responses must be the same JSON, or the comparison is meaningless. */
const checkAnswer = async ({ name, url, headers, gateway, service }, expected) => {
  const response = await eventually(
    `an answer of ${name}`,
    async () => {
      const got = await fetch(`${url}${path}`, { headers })
      return got.ok && got
    },
    { onFailure: () => [gateway, service].map(lastWords).join('\n') },
  )
  assert.deepEqual(JSON.parse(await response.text()), expected, `${name} has another response`)
}

const checkGatewayDoesItsWork = async ({ url, headers }) => {
  const answer = await fetch(`${url}${path}`, { headers })
  assert.ok(answer.headers.get('x-request-id'), 'no request id')
  assert.equal((await fetch(`${url}${path}`)).status, 401, 'a request without a key must be refused')
  assert.equal((await fetch(`${url}${path}`, { headers: { authorization: `${headers.authorization}x` } })).status, 401)
}

const linesIn = async (file) => {
  let lines = 0
  for await (const chunk of createReadStream(file)) for (const byte of chunk) if (byte === 0x0a) lines++
  return lines
}

/** Answers of 200 to the route, as the gateway counts them. */
const countedBy = async ({ metrics }) => {
  const text = await (await fetch(metrics.gateway)).text()
  const counter =
    /^http_server_request_duration_seconds_count\{(?=.*http_route="\/v1\/voices")(?=.*http_response_status_code="200").*\} (\d+)$/m
  return Number(counter.exec(text)?.[1] ?? 0)
}

const measure = async ({ url, authorizations, gateway, service }) => {
  const before = { gateway: cpuSeconds(gateway.pid), service: cpuSeconds(service.pid) }
  const loaded = await load({
    url: `${url}${path}`,
    authorizations,
    connections: options.connections,
    seconds: options.seconds,
  })
  const per10k = (now, then) => ((now - then) * 10_000) / loaded.requests
  const gatewayCpu = per10k(cpuSeconds(gateway.pid), before.gateway)
  const serviceCpu = per10k(cpuSeconds(service.pid), before.service)
  const single = await load({ url: `${url}${path}`, authorizations, connections: 1, seconds: 1 })
  return {
    requestsPerSecond: loaded.requests / loaded.seconds,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
    singleP50Ms: single.p50Ms,
    gatewayCpuSecondsPer10k: gatewayCpu,
    serviceCpuSecondsPer10k: serviceCpu,
    requests: loaded.requests + single.requests,
  }
}

const run = async (folder, stops) => {
  const servers = await startBackingServers()
  stops.push(servers)
  const parlance = await startParlance({ servers, folder, keys: options.keys, profile: options.profile })
  stops.push(parlance)
  const listed = await (await fetch(`${parlance.url}${path}`, { headers: parlance.headers })).text()
  const bodyFile = join(folder, 'body.json')
  await writeFile(bodyFile, listed)

  const { gateway, catalog } = parlance.processes
  const whole = { name: 'Parlance', ...parlance, gateway, service: catalog }
  const bare = await startBareGateway({ natsUrl: servers.nats.url, folder, service: catalog })
  const peers = await startPeers({ natsUrl: servers.nats.url, bodyFile, folder })
  const contenders = [whole, ...peers, bare]
  stops.push(bare.gateway, ...peers.flatMap((peer) => [peer.gateway, peer.service]))

  const expected = JSON.parse(listed)
  for (const contender of contenders) await checkAnswer(contender, expected)
  await checkGatewayDoesItsWork(parlance)
  say(`The same ${Buffer.byteLength(listed)} bytes from all. Order by seed ${options.seed}.`)

  const inOrder = seededOrder(options.seed)
  for (const { url, authorizations } of contenders) {
    await load({ url: `${url}${path}`, authorizations, connections: options.connections, seconds: 3 })
  }
  const before = { lines: await linesIn(gateway.log), counted: await countedBy(parlance) }
  const rows = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = 1; round <= options.rounds; round++) {
    for (const contender of inOrder(contenders)) rows.get(contender.name).push(await measure(contender))
    say(`round ${round} of ${options.rounds}`)
  }
  const served = rows.get(whole.name).reduce((sum, row) => sum + row.requests, 0)
  // The log is written in blocks, a little later.
  await eventually('an access log line per request', async () => (await linesIn(gateway.log)) - before.lines >= served)
  assert.ok((await countedBy(parlance)) - before.counted >= served, 'the metrics miss requests')

  const figures = Object.fromEntries([...rows].map(([name, measured]) => [name, medianRow(measured)]))
  return { bodyBytes: Buffer.byteLength(listed), figures, names: contenders.map(({ name }) => name) }
}

const report = ({ bodyBytes, figures, names: [parlance, nest, moleculer, bare] }) => {
  const ratio = (field, other) => figures[parlance][field] / figures[other][field]
  const text = table(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'p50 ms, 1 conn', 'gateway CPU-s/10k', 'service CPU-s/10k'],
    [parlance, nest, moleculer, bare].map((name) => [
      name,
      figures[name].requestsPerSecond.toFixed(0),
      figures[name].p50Ms.toFixed(1),
      figures[name].p99Ms.toFixed(1),
      figures[name].singleP50Ms.toFixed(2),
      figures[name].gatewayCpuSecondsPer10k.toFixed(2),
      figures[name].serviceCpuSecondsPer10k.toFixed(2),
    ]),
  )
  const limits = options.limit === '' ? wholeListGoals : smallPageGoals
  const goals = [
    goal('requests/s, Parlance to NestJS', ratio('requestsPerSecond', nest), ' ×', atLeast(limits.nest)),
    goal('requests/s, Parlance to Moleculer', ratio('requestsPerSecond', moleculer), ' ×', atLeast(limits.moleculer)),
    goal('gateway CPU, Parlance to NestJS', ratio('gatewayCpuSecondsPer10k', nest), ' ×', atMost(limits.nestCpu)),
  ]
  const { json, assert } = options
  finish({ json, assert, text, figures: { seed: options.seed, bodyBytes, contenders: figures }, goals })
}

needBuild(...serviceNames)
needBinary('wrk', 'wrk')

await inTemporaryFolder(async (folder) => {
  const stops = []
  try {
    report(await run(folder, stops))
  } finally {
    for (const started of stops.reverse()) await started.stop()
  }
})
