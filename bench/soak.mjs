/**
 * Looks for leaks of conversations, over the API and both transports, with every way to end: memory, sockets and threads
 * of the sessions service and of the gateway, permits, credit, keys in Redis and records.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { publishAgent } from './harness/agent.mjs'
import { startBackingServers } from './harness/backing-servers.mjs'
import { lastWords } from './harness/child-process.mjs'
import { waysToEnd } from './harness/churning-peers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild, root } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { memoryOf } from './harness/process-memory.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { eventually } from './harness/waiting.mjs'

const options = commandLine('leaks of conversations that begin and end', {
  conversations: { type: 'number', default: 1_000, help: 'that begin and end' },
  'at-once': { type: 'number', default: 8, help: 'at the same time' },
})
const { conversations, 'at-once': atOnce } = options
needBuild(...serviceNames, 'sessions')
const { createClient } = createRequire(join(root, 'libs/store/package.json'))('redis')

const ways = Object.entries(waysToEnd)
/** A workspace may start only some conversations a minute to which no client connects. */
const workspaces = 12
/** Permits for conversations. Those to which no client connects keep theirs for 15 s. */
const permits = 400

/** Keys in Redis of live conversations. */
const liveKeys = async (redis) => {
  let live = 0
  for await (const keys of redis.scanIterator({ MATCH: 'sessions:{*', COUNT: 500 })) {
    for (const key of [keys].flat()) {
      const text = await redis.get(key)
      if (text !== null && JSON.parse(text).ended !== true) live += 1
    }
  }
  return live
}

const processState = ({ pid }) => ({
  residentMb: memoryOf(pid).rssMb,
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
  threads: readdirSync(`/proc/${pid}/task`).length,
})

await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  const redis = createClient({ url: servers.env.REDIS_URL })
  let product
  try {
    await redis.connect()
    product = await startParlance({
      servers,
      folder,
      workspaces,
      services: [...serviceNames, 'sessions'],
      env: {
        SESSION_LIMIT: String(permits),
        SESSION_UDP_ADDRESS: '127.0.0.1',
        STT_PROVIDER: 'openai',
        // It is required, but receives no audio.
        STT_OPENAI_URL: 'http://127.0.0.1:9/v1',
      },
    })
    const { url } = product
    const targets = await Promise.all(
      product.authorizations.map(async (authorization) => {
        const agentId = await publishAgent({ url, authorization }, { llm_provider: 'builtin', llm_model: 'rules' })
        return { url, authorization, agentId }
      }),
    )
    /** The answers that all workspaces get. */
    const get = (path) =>
      Promise.all(
        targets.map(async ({ authorization }) => (await fetch(`${url}${path}`, { headers: { authorization } })).json()),
      )

    /** Once all are over, which takes 15 s where no client connected. */
    const stand = async () => {
      let seen = ''
      let text = ''
      await eventually(
        'an end of all conversations',
        async () => {
          text = await (await fetch(product.metrics.sessions)).text()
          const active = Number(/^parlance_sessions_active (\S+)$/m.exec(text)?.[1])
          const reserved = (await get('/v1/credit')).map((credit) => credit.reserved)
          seen = `active: ${active}, credit reserved: ${reserved}`
          return active === 0 && reserved.every((amount) => amount === '0.00')
        },
        { withinMs: 60_000, everyMs: 250, onFailure: () => `${seen}\n${lastWords(product.processes.sessions)}` },
      )
      const heapMb = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]) / 1024 ** 2
      return {
        heapMb,
        sessions: processState(product.processes.sessions),
        gateway: processState(product.processes.gateway),
        liveInRedis: await liveKeys(redis),
        liveRecords: (
          await Promise.all(
            ['connecting', 'active', 'ending'].map((status) => get(`/v1/agent-sessions?status=${status}`)),
          )
        )
          .flat()
          .map(({ sessions }) => sessions.length)
          .reduce((sum, count) => sum + count),
      }
    }

    const failures = new Map()
    let begun = 0
    const churn = async (upTo) => {
      const one = async () => {
        while (begun < upTo) {
          const [name, converse] = ways[begun % ways.length]
          const target = targets[Math.floor(begun / ways.length) % workspaces]
          begun += 1
          if (begun % 100 === 0) say(`${begun} conversations`)
          await converse(target).catch((error) => {
            const what = `${name}: ${error.message}`
            if (!failures.has(what)) say(what)
            failures.set(what, (failures.get(what) ?? 0) + 1)
          })
        }
      }
      await Promise.all(Array.from({ length: atOnce }, one))
    }
    const startedMs = performance.now()
    await churn(Math.ceil(conversations / 10))
    const first = await stand()
    await churn(conversations)
    const last = await stand()
    const seconds = (performance.now() - startedMs) / 1000
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)

    const row = (name, of, digits = 0) => [name, of(first).toFixed(digits), of(last).toFixed(digits)]
    const text = table(
      ['', `after ${Math.ceil(conversations / 10)}`, `after ${conversations}`],
      ['sessions', 'gateway']
        .flatMap((service) => [
          row(`${service}: resident MB`, (state) => state[service].residentMb, 1),
          row(`${service}: descriptors`, (state) => state[service].descriptors),
          row(`${service}: threads`, (state) => state[service].threads),
        ])
        .concat([
          row('sessions: heap MB', ({ heapMb }) => heapMb, 1),
          row('live in Redis', ({ liveInRedis }) => liveInRedis),
          row('live by their records', ({ liveRecords }) => liveRecords),
        ]),
    )
    const failedText = [...failures].map(([what, count]) => `${count} × ${what}`).join('\n')
    const { json, assert } = options
    finish({
      json,
      assert,
      text: `${text}\n\n${seconds.toFixed(0)} s\n${failedText}`,
      figures: { conversations, seconds, first, last, failures: Object.fromEntries(failures) },
      goals: [
        goal('conversations that failed', failed, '', atMost(0)),
        goal("the sessions service's heap", last.heapMb - first.heapMb, ' MB', atMost(10)),
        goal('its resident memory', last.sessions.residentMb - first.sessions.residentMb, ' MB', atMost(64)),
        goal('its descriptors', last.sessions.descriptors - first.sessions.descriptors, '', atMost(5)),
        goal('its threads', last.sessions.threads - first.sessions.threads, '', atMost(0)),
        goal("the gateway's memory", last.gateway.residentMb - first.gateway.residentMb, ' MB', atMost(30)),
        goal("the gateway's descriptors", last.gateway.descriptors - first.gateway.descriptors, '', atMost(5)),
        goal('live in Redis and in records', last.liveInRedis + last.liveRecords, '', atMost(0)),
      ],
    })
  } finally {
    await product?.stop()
    await redis.close()
    await servers.stop()
  }
})
