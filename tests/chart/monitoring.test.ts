import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Service } from '@parlance/runtime'
import { createMetrics, type Metrics } from '@parlance/telemetry'
import { parse } from 'yaml'
import { panels } from './queries.js'
import { chart } from './rendering.js'
import { services } from './service-environment.js'

const read = (file: string) => readFileSync(join(chart, 'files', file), 'utf8')

interface Facts {
  readonly activeMetric?: string
  readonly capacityMetric?: string
  readonly drainVariable?: string
}
const facts: Record<string, Facts> = parse(read('services.yaml'))

const shared = ['parlance_connection_losses_total']
const bus = ['parlance_bus_calls_total', 'parlance_bus_call_duration_seconds']
const store = ['db_client_operation_duration_seconds']
const reservations = ['open', 'ended_total'].map((what) => `parlance_credit_reservations_${what}`)
const credit = ['parlance_credit_reserved_millicredits', 'parlance_credit_charged_millicredits_total']

/** The metrics of each service when it runs alone. */
const families: Record<string, readonly string[]> = {
  agents: [...bus, ...store],
  auth: [...bus, ...store],
  catalog: bus,
  'end-users': [...bus, ...store],
  gateway: [
    ...['http_server_request_duration_seconds', ...store, ...reservations, ...credit],
    ...['parlance_streams_active', 'parlance_stream_contexts_active', 'parlance_stream_ttfa_seconds'],
  ],
  sessions: [
    ...[...bus, ...store, ...reservations, ...credit],
    ...['active', 'capacity', 'ended_total'].map((what) => `parlance_sessions_${what}`),
    ...['voice_to_voice_seconds', 'underruns_total', 'prepared_replies_total'].map(
      (what) => `parlance_session_${what}`,
    ),
    ...['operation_duration_seconds', 'operation_time_to_first_chunk_seconds', 'token_usage'].map(
      (what) => `gen_ai_client_${what}`,
    ),
  ],
  tokens: [...bus, ...store, 'parlance_credit_reservations_ended_total', 'parlance_credit_fell_total'],
  tts: [
    ...[...bus, ...store, 'parlance_engine_restarts_total'],
    ...['ttfa_seconds', 'queue_seconds', 'audio_seconds_total', 'active', 'waiting', 'real_time_factor'],
    ...['capacity', 'refusals_total', 'fallback_total', 'cache_total', 'cache_bytes'],
  ].map((name) => (/^(parlance|db)_/.test(name) ? name : `parlance_tts_${name}`)),
  webhooks: [...bus, ...store, 'parlance_webhook_attempt_seconds', 'parlance_webhooks_disabled_total'],
}

const metricsOf = ({ metrics: groups = [] }: Service) => createMetrics({ groups })
const namesOf = async (metrics: Metrics) => (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name)

test.each([...services])('%s prints its own metrics, and no others', async (name, service) => {
  expect((await namesOf(metricsOf(service))).sort()).toEqual([...shared, ...families[name]!].sort())
})

test('every metric belongs to a service', async () => {
  const printed = new Set((await Promise.all([...services.values()].map((one) => namesOf(metricsOf(one))))).flat())
  expect([...printed].sort()).toEqual((await namesOf(createMetrics())).sort())
})

test('a service exports the capacity that autoscaling reads, and the drain of a service is a variable of it', async () => {
  for (const [name, { activeMetric, capacityMetric, drainVariable }] of Object.entries(facts)) {
    const names = await namesOf(metricsOf(services.get(name)!))
    for (const metric of [activeMetric, capacityMetric]) if (metric !== undefined) expect(names).toContain(metric)
    expect(services.get(name)?.drainMs !== undefined).toBe(drainVariable !== undefined)
  }
})

test('run-books quote only titles of panels', () => {
  const page = readFileSync(join(chart, '../../../docs/run-books.md'), 'utf8')
  const quoted = [...page.replace(/`[^`]*`/g, '').matchAll(/"([^"]+)"/g)].map(([, title]) => title)
  expect(quoted.length).toBeGreaterThan(5)
  expect(panels.map(({ title }) => title)).toEqual(expect.arrayContaining(quoted))
})
