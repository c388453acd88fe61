/**
 * The effect of a flood of requests with unknown API keys on another workspace. Its requests are sent at their times, in
 * turns with and without the flood, which a separate thread sends to loopback at a fixed rate from several addresses.
 * Figures are medians over rounds.
 */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startBackingServers } from './harness/backing-servers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { median, medianRow, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

/** Sends requests at a fixed rate for some seconds. Resolves to the status of each and the ms since it was due. */
const sendAtRate = async ({ url, perSecond, seconds, optionsOf }) => {
  const startedMs = performance.now()
  const sent = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueMs = startedMs + (n * 1_000) / perSecond
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) await delay(leftMs)
    sent.push(
      new Promise((resolve, reject) => {
        const onResponse = (response) => {
          response.resume()
          response.once('end', () => resolve({ status: response.statusCode, ms: performance.now() - dueMs }))
        }
        request(url, optionsOf(n), onResponse).once('error', reject).end()
      }),
    )
  }
  return Promise.all(sent)
}

/** Resolves to the number of answers with each status. */
const flood = async ({ url, addresses, perSecond, seconds }) => {
  const { createApiKey } = await import('@parlance/clients/api-key')
  const agents = Array.from(
    { length: addresses },
    (_, n) => new Agent({ keepAlive: true, maxSockets: 4, localAddress: `127.0.1.${n + 1}` }),
  )
  const optionsOf = (n) => ({
    agent: agents[n % addresses],
    headers: { authorization: `Bearer ${createApiKey('prd')}` },
  })
  const answers = await sendAtRate({ url, perSecond, seconds, optionsOf })
  for (const agent of agents) agent.destroy()
  const counts = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const summary = (times) => ({ p50Ms: median(times), p99Ms: percentile(times, 0.99) })

const measure = async () => {
  const options = commandLine("a neighbor's requests during a flood of unknown API keys", {
    rate: { type: 'number', default: 300, help: 'requests of the flood in a second' },
    addresses: { type: 'number', default: 2, help: 'of the flood' },
    neighbor: { type: 'number', default: 50, help: 'requests of the neighbor in a second' },
    rounds: { type: 'number', default: 5, help: 'with the flood, and as many without' },
    seconds: { type: 'number', default: 4, help: 'of each round' },
  })
  needBuild(...serviceNames)
  const { rate, addresses, neighbor, rounds, seconds, json, assert: asserts } = options

  const quiet = []
  const flooded = []
  const refusals = { 401: 0, 429: 0 }
  await inTemporaryFolder(async (folder) => {
    const servers = await startBackingServers()
    let product
    try {
      product = await startParlance({ servers, folder })
      const url = `${product.url}/v1/voices?limit=4`
      const agent = new Agent({ keepAlive: true })
      const { headers } = product
      const ask = async (forSeconds) => {
        const answers = await sendAtRate({
          url,
          perSecond: neighbor,
          seconds: forSeconds,
          optionsOf: () => ({ agent, headers }),
        })
        for (const { status } of answers) assert.equal(status, 200, 'a request of the neighbor failed')
        return answers.map(({ ms }) => ms)
      }
      const askDuringFlood = async () => {
        const worker = new Worker(new URL(import.meta.url), {
          workerData: { url, addresses, perSecond: rate, seconds },
        })
        const ended = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
        const [times, counts] = await Promise.all([ask(seconds), ended])
        for (const [status, count] of Object.entries(counts)) {
          assert.ok(status in refusals, `the flood was answered with ${status}`)
          refusals[status] += count
        }
        return times
      }
      say('warming up ...')
      await ask(seconds)
      await askDuringFlood()
      Object.assign(refusals, { 401: 0, 429: 0 })
      for (let round = 1; round <= rounds; round++) {
        quiet.push(summary(await ask(seconds)))
        flooded.push(summary(await askDuringFlood()))
        say(`round ${round} of ${rounds}`)
      }
      agent.destroy()
    } finally {
      await product?.stop()
      await servers.stop()
    }
  })

  const rows = [
    ['without the flood', quiet],
    ['with the flood', flooded],
  ].map(([name, measured]) => ({ name, ...medianRow(measured) }))
  const [without, during] = rows
  finish({
    json,
    assert: asserts,
    text: `${refusals[401]} requests of the flood were answered with 401, ${refusals[429]} with 429\n\n${table(
      ["the neighbor's requests", 'p50 ms', 'p99 ms'],
      rows.map(({ name, p50Ms, p99Ms }) => [name, p50Ms.toFixed(1), p99Ms.toFixed(1)]),
    )}`,
    figures: { rows, refusals },
    goals: [goal('p99 with the flood to without', during.p99Ms / without.p99Ms, ' ×', atMost(2))],
  })
}

if (isMainThread) await measure()
else parentPort.postMessage(await flood(workerData))
