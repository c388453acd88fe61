// Runs in a container of the image, beside the installation and its Prometheus at PROMETHEUS_URL, after a request for speech and a
// conversation. Ends with 0 when Prometheus reads the metrics of every service, evaluates the chart's alerts, answers the
// dashboards, and has exemplars of requests and the collector's counts of spans.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { evaluate } from '../dashboards/panels.mjs'

const url = process.env.PROMETHEUS_URL
const services = process.env.SERVICES.split(' ')
/** Those that speech and a conversation pass through. */
const traced = ['agents', 'auth', 'catalog', 'gateway', 'sessions', 'tokens', 'tts'].map((name) => `parlance-${name}`)
/** Prometheus reads every 15 s, and the collector sums up spans as often. A busy machine takes longer. */
const limitMs = 120_000

const ask = async (path, parameters = {}) => {
  const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
  const { status, data, error } = await response.json()
  assert.equal(status, 'success', error)
  return data
}

/** Repeats a check until it passes. Rejects as the last time when it does not pass within the limit. */
const eventually = async (check) => {
  const giveUpAtMs = performance.now() + limitMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > giveUpAtMs) throw error
      await delay(1000)
    }
  }
}

const checkTargets = async () => {
  const { activeTargets } = await ask('targets', { state: 'active' })
  const down = activeTargets.filter(({ health }) => health !== 'up')
  assert.deepEqual(
    down.map(({ scrapeUrl, health, lastError }) => ({ scrapeUrl, health, lastError })),
    [],
  )
  const read = activeTargets.map(({ scrapeUrl }) => new URL(scrapeUrl).hostname)
  assert.deepEqual(read.sort(), [...services, 'collector'].sort())
  return `${read.length} targets`
}

const checkAlerts = async () => {
  const { groups } = await ask('rules')
  const rules = groups.flatMap((group) => group.rules)
  assert.ok(rules.length > 0, 'Prometheus has no rules')
  assert.deepEqual(
    rules.filter(({ health }) => health !== 'ok').map(({ name, health, lastError }) => ({ name, health, lastError })),
    [],
  )
  return `${rules.length} rules`
}

const checkExemplars = async () => {
  const minuteMs = 60_000
  const query = 'http_server_request_duration_seconds_bucket'
  const series = await ask('query_exemplars', {
    query,
    start: new Date(Date.now() - 10 * minuteMs).toISOString(),
    end: new Date().toISOString(),
  })
  const traces = series.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id))
  assert.ok(traces.length > 0, `${query} has no exemplars`)
  for (const trace of traces) assert.match(trace, /^[0-9a-f]{32}$/)
  return `${traces.length} exemplars`
}

const checkSpans = async () => {
  const { result } = await ask('query', { query: 'sum by (service_name) (traces_calls_total)' })
  const counts = new Map(result.map(({ metric, value }) => [metric.service_name, Number(value[1])]))
  const missing = traced.filter((name) => !(counts.get(name) > 0))
  assert.deepEqual(missing, [], 'services without spans')
  return `spans of ${traced.length} services`
}

const checkDashboards = async () => {
  const dashboards = await evaluate({ prometheus: url, namespace: 'compose', minutes: 5, rateInterval: '1m' })
  const panels = dashboards.flatMap(({ panels }) => panels)
  const filled = panels.filter(({ series }) => series.length > 0)
  assert.ok(filled.length > panels.length / 2, `only ${filled.length} of ${panels.length} panels have data`)
  return `${filled.length} of ${panels.length} panels have data`
}

for (const check of [checkTargets, checkAlerts, checkExemplars, checkSpans, checkDashboards])
  console.log(await eventually(check))
