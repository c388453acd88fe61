/**
 * What memory and calendar cost a conversation: from `client.ready` with the user's first words to the first sound of the
 * answer, and the start itself, of Agents without them, with them, and with ones that take two seconds to answer. What is
 * known of a user is fetched while the connection is being set up, and no turn waits for it: all three should be the same.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { connectNatsBus, createClient, serve } from '@parlance/bus'
import { authContract, calendarContract, memoryContract } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { startBackingServers } from './harness/backing-servers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild } from './harness/installed.mjs'
import { startModelStandIns } from './harness/model-stand-ins.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { median, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('background', 'time to the first spoken word with memory and calendar', {
  rounds: { type: 'number', default: 30, help: 'conversations of each kind' },
  seed: { type: 'number', default: newSeed(), help: 'of their order, to repeat a run' },
})
const services = [...serviceNames, 'end-users', 'sessions']
needBuild(...services)

const slowMs = 2_000
const factCount = 200
const labels = {
  plain: 'without',
  knowing: `with ${factCount} memories, and web search`,
  beside: 'without, in turns with',
  slow: `ones that take ${slowMs} ms`,
}

const apiOf = ({ url, authorization }) => ({
  async post(path, body, headers = {}) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path}: ${answer.code}: ${answer.detail}`)
    return answer
  },
  get: async (path) => (await fetch(`${url}${path}`, { headers: { authorization } })).json(),
})

const publishAgent = async (api, name, knows) => {
  const { voices } = await api.get('/v1/voices')
  const { id } = await api.post('/v1/agents', {
    ...{ slug: name, display_name: name, voice_id: voices[0].id },
    ...{ memory_enabled: knows, calendar_enabled: knows, web_search_enabled: knows },
    voice_config: { tts_variant: voices[0].variants[0].id },
    ...{ llm_provider: 'openai_compatible', llm_model: 'stand-in' },
  })
  await api.post(`/v1/agents/${id}/publish`, {})
  return id
}

const summary = (name, values) => ({ [`${name}Ms`]: median(values), [`${name}P95Ms`]: percentile(values, 0.95) })

/** One conversation: `{ startMs, wordMs }`, or an error where nothing is heard. */
const talk = async (api, agentId, endUserId) => {
  const { token } = await api.post(`/v1/agents/${agentId}/session-tokens`, { end_user_id: endUserId })
  const authorization = `Bearer ${token}`
  const askedMs = performance.now()
  const path = `/v1/agents/${agentId}/sessions`
  const { websocket_url } = await api.post(path, { transport: 'websocket' }, { authorization })
  const startMs = performance.now() - askedMs
  const socket = new WebSocket(websocket_url, ['awp.session.v1', `awp.token.${token}`])
  try {
    await once(socket, 'open')
    const heard = new Promise((resolve, reject) => {
      socket.on('message', (_data, isBinary) => isBinary && resolve(performance.now()))
      socket.once('close', (code) => reject(new Error(`closed with ${code}`)))
    })
    const readyMs = performance.now()
    socket.send(JSON.stringify({ event: 'client.ready' }))
    socket.send(JSON.stringify({ event: 'text.send', id: randomUUID(), text: 'When do you open?' }))
    return { startMs, wordMs: (await heard) - readyMs }
  } finally {
    socket.removeAllListeners('close')
    socket.close()
  }
}

await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  const models = await startModelStandIns({ heard: '', reply: 'The shop opens at nine in the morning.' })
  let product
  let bus
  try {
    product = await startParlance({
      servers,
      folder,
      services,
      env: {
        LLM_COMPATIBLE_URL: models.url,
        CALENDAR_FEED_KEY: 'for-benchmarks-only',
        // Nobody asks it: the model is told that it could.
        SEARCH_SEARXNG_URL: models.url,
      },
    })
    bus = await connectNatsBus({ url: servers.nats.url, name: 'bench' })
    const api = apiOf({ url: product.url, authorization: product.authorizations[0] })
    const [plain, knowing] = [await publishAgent(api, 'plain', false), await publishAgent(api, 'knowing', true)]
    const endUserId = randomUUID()
    const { workspaces } = await createClient(bus, authContract).listWorkspaces({})
    const workspace_id = workspaces[0].id
    const memory = createClient(bus, memoryContract)
    for (let from = 0; from < factCount; from += 50) {
      await memory.remember({
        ...{ workspace_id, end_user_id: endUserId, agent_id: knowing, session_id: randomUUID() },
        facts: Array.from({ length: 50 }, (_, index) => ({
          ...{ text: `The user has been to country number ${from + index}.`, message_id: null },
          said_at: new Date().toISOString(),
        })),
      })
    }

    const order = seededOrder(options.seed)
    const measured = { plain: [], knowing: [], beside: [], slow: [] }
    const measure = async (kinds) => {
      for (let round = 0; round <= options.rounds; round++) {
        for (const [kind, agentId] of order(kinds)) {
          const figures = await talk(api, agentId, endUserId)
          // The first of each warms up.
          if (round > 0) measured[kind].push(figures)
        }
      }
    }
    say(`${options.rounds} conversations of each kind, seed ${options.seed} ...`)
    await measure([
      ['plain', plain],
      ['knowing', knowing],
    ])
    say(`and with a memory and a calendar that take ${slowMs} ms ...`)
    await product.processes['end-users'].stop()
    const slowly = (answer) => () => delay(slowMs, answer)
    const slow = [
      await serve(
        bus,
        memoryContract,
        { recall: slowly({ facts: [] }), remember: () => ({ kept: 0 }) },
        { instanceId: 'slow' },
      ),
      await serve(bus, calendarContract, { listOccurrences: slowly({ occurrences: [] }) }, { instanceId: 'slow' }),
    ]
    await measure([
      ['beside', plain],
      ['slow', knowing],
    ])
    for (const served of slow) await served.stop()

    const rows = Object.entries(measured).map(([kind, figures]) => {
      const column = (name) => figures.map((one) => one[name])
      return { kind, ...summary('start', column('startMs')), ...summary('word', column('wordMs')) }
    })
    const [plainRow, knowingRow, besideRow, slowRow] = rows
    /** To those without that took turns with them. */
    const ratio = (row, name) => row[name] / (row === slowRow || row === besideRow ? besideRow : plainRow)[name]
    finish({
      ...{ json: options.json, assert: options.assert, figures: { seed: options.seed, rows } },
      text: table(
        ['', 'first word ms', 'p95', 'ratio', 'start ms', 'p95', 'ratio'],
        rows.map((row) => [
          labels[row.kind],
          ...['word', 'start'].flatMap((name) => [
            row[`${name}Ms`].toFixed(1),
            row[`${name}P95Ms`].toFixed(1),
            ratio(row, `${name}Ms`).toFixed(2),
          ]),
        ]),
      ),
      goals: [knowingRow, slowRow].flatMap((row) => [
        goal(`first word, ${row.kind}, to that without`, ratio(row, 'wordMs'), ' ×', atMost(1.25)),
        goal(`start, ${row.kind}, to that without`, ratio(row, 'startMs'), ' ×', atMost(1.5)),
      ]),
    })
  } finally {
    await bus?.close()
    await product?.stop()
    await models.stop()
    await servers.stop()
  }
})
