import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  describeWithPrograms,
  sendJson,
  startLocalServer,
  startPrometheusServer,
  type TestServer,
} from '@parlance/testing'
import { parse, stringify } from 'yaml'
import { type Api, createApi } from './api.js'
import { readMetrics } from './chart/promql.js'
import { panels, queries } from './chart/queries.js'
import { eventually } from './eventually.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

const dashboardsProgram = fileURLToPath(new URL('../scripts/dashboards/main.mjs', import.meta.url))
const composeConfiguration = fileURLToPath(new URL('../deploy/observability/prometheus.yaml', import.meta.url))

/** The configuration of docker-compose.yml, for the one process of the test. */
const configurationFor = async (metricsUrl: string): Promise<string> => {
  const configuration = parse(await readFile(composeConfiguration, 'utf8'))
  const [services] = configuration.scrape_configs
  const [{ labels }] = services.static_configs
  return stringify({
    global: { scrape_interval: '500ms' },
    scrape_configs: [{ ...services, static_configs: [{ targets: [new URL(metricsUrl).host], labels }] }],
  })
}

/** A model server that lists no models and answers no request. */
const startFailingServer = () =>
  startLocalServer(({ method }, response) => sendJson(response, method === 'GET' ? 200 : 500, { data: [] }))

const enginesWith = (failingUrl: string) => ({
  engines: {
    local: { type: 'espeak-ng', processes: 1 },
    remote: {
      type: 'openai',
      base_url: failingUrl,
      models: [{ id: 'loud', credit_per_1k_characters: '0' }],
      voices: [{ id: 'far', languages: ['en'] }],
    },
  },
  fallbacks: [{ voice: 'far', variant: 'loud', instead: [{ voice: 'Ada', variant: 'standard' }] }],
})

describeWithPrograms(['prometheus'], 'a Prometheus that reads a platform in use', () => {
  const stops: (() => unknown)[] = []
  let platform: TestPlatform
  let api: Api
  let prometheus: TestServer
  let folder: string

  beforeAll(async () => {
    const failing = await startFailingServer()
    stops.push(failing.close)
    folder = await mkdtemp(join(tmpdir(), 'parlance-dashboards-'))
    stops.push(() => rm(folder, { recursive: true }))
    const file = join(folder, 'engines.json')
    await writeFile(file, JSON.stringify(enginesWith(failing.url)))
    platform = await startTogether({ TTS_ENGINES_FILE: file, LLM_COMPATIBLE_URL: failing.url })
    stops.push(platform.stop)
    prometheus = await startPrometheusServer(await configurationFor(platform.metricsUrl))
    stops.push(prometheus.stop)
    const { authorization } = await newKey(platform)
    api = createApi(platform.urls[0], authorization)
    await speak()
    const voice = await api.voice()
    const agentId = await publishAgent(api, { voice })
    const silentId = await publishAgent(api, { voice, slug: 'other', llm_provider: 'openai_compatible' })
    // A command of Postgres fails.
    expect((await api.patch(`/v1/agents/${agentId}`, { slug: 'other' })).body.code).toBe('slug_taken')
    await converse(agentId)
    await failToConverse(silentId)
    await readByPrometheus()
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  /** By an engine, and by another in the place of one that cannot. */
  const speak = async () => {
    const voices = await eventually(async () => {
      const { body } = await api.get('/v1/voices?language=en')
      return body.voices?.some(({ display_name }: { display_name: string }) => display_name === 'far')
        ? body.voices
        : undefined
    })
    for (const name of ['Ada', 'far']) {
      const { id } = voices.find(({ display_name }: { display_name: string }) => display_name === name)
      expect((await api.post('/v1/tts', { text: 'One.', voice_id: id })).status).toBe(200)
    }
  }

  const connect = async (agentId: string) => {
    const { body: minted } = await api.post(`/v1/agents/${agentId}/session-tokens`)
    const authorization = `Bearer ${minted.token}`
    const { body } = await api.post(`/v1/agents/${agentId}/sessions`, { transport: 'websocket' }, { authorization })
    const peer = await connectSession(body.websocket_url, minted.token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    peer.send({ event: 'text.send', id: randomUUID(), text: 'What is your name?' })
    return peer
  }

  const converse = async (agentId: string) => {
    const peer = await connect(agentId)
    await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    peer.socket.close(1000)
  }

  /** The Agent's model does not answer. */
  const failToConverse = async (agentId: string) => {
    const peer = await connect(agentId)
    await peer.event('error', ({ code }) => code === 'upstream_error')
    peer.socket.close(1000)
  }

  const ask = async (path: string, parameters: Record<string, string>) => {
    const response = await fetch(`${prometheus.url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    const { status, data, error } = (await response.json()) as { status: string; data: unknown; error?: string }
    if (status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${error}`)
    return data
  }

  /** Resolves when Prometheus has read both ends of conversations, which come last. */
  const readByPrometheus = () =>
    eventually(async () => {
      const { result } = (await ask('query', { query: 'sum(parlance_sessions_ended_total) == 2' })) as {
        result: unknown[]
      }
      return result.length > 0 || undefined
    })

  /** The labels of all series of a metric. */
  const labelsOf = async (metric: string): Promise<ReadonlySet<string>> =>
    new Set((await ask('labels', { 'match[]': metric })) as string[])

  test('finds every metric and every label that an alert or a panel reads', async () => {
    expect(queries.length).toBeGreaterThan(50)
    const problems: string[] = []
    for (const { where, expr, legend } of queries) {
      const read = readMetrics(expr)
      expect(read.length).toBeGreaterThan(0)
      const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!)
      for (const { metric, labels } of read) {
        const has = await labelsOf(metric)
        if (has.size === 0) problems.push(`${where}: no series of ${metric}`)
        else
          for (const label of [...labels, ...named])
            if (!has.has(label)) problems.push(`${where}: no label ${label} of ${metric}`)
      }
      await ask('query', { query: expr })
    }
    expect(problems).toEqual([])
  })

  test('finds no metric of Parlance that neither a panel nor an alert reads', async () => {
    const family = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
    const read = new Set(queries.flatMap(({ expr }) => readMetrics(expr)).map(({ metric }) => family(metric)))
    const exported = (await ask('label/__name__/values', {})) as string[]
    const own = exported.filter((name) => /^(parlance|http|gen_ai|db)_/.test(name)).map(family)
    expect(new Set(own).size).toBeGreaterThan(25)
    expect([...new Set(own)].filter((name) => !read.has(name))).toEqual([])
  })

  test('has values for the panels that `npm run dashboards` prints, and draws', async () => {
    const page = join(folder, 'dashboards.html')
    const options = ['--prometheus', prometheus.url, '--minutes', '1', '--rate', '10s', '--html', page]
    const { stdout } = await promisify(execFile)(process.execPath, [dashboardsProgram, ...options])
    for (const { dashboard, title } of panels) {
      expect(stdout).toContain(`\n${dashboard}\n`)
      expect(stdout).toContain(`\n  ${title}`)
    }
    // A rate needs two samples, and a quantile needs what it measures.
    const gauges = panels.filter(({ targets }) => targets.every(({ expr }) => !/rate\(|increase\(/.test(expr)))
    expect(gauges.length).toBeGreaterThan(10)
    for (const { title } of gauges) expect(stdout).not.toContain(`\n  ${title}: no data\n`)
    expect(stdout).toMatch(/^ +[\d.]+ [MG]iB {2}/m)
    expect(await readFile(page, 'utf8')).toContain('<polyline')
  })

  test('notices a missing metric, a missing label, and a query that is not PromQL', async () => {
    expect(readMetrics('sum by (le, engine) (rate(parlance_x_bucket{pod=~".+"}[5m])) > on (job) up')).toEqual([
      { metric: 'parlance_x_bucket', labels: ['pod', 'le', 'engine', 'job'] },
      { metric: 'up', labels: ['job'] },
    ])
    expect((await labelsOf('parlance_x_bucket')).size).toBe(0)
    expect((await labelsOf('up')).has('engine')).toBe(false)
    expect(() => readMetrics('sum by (le (rate(up[5m]))')).toThrow('no PromQL')
  })
})
