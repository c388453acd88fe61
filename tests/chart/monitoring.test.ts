import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics } from '@parlance/telemetry'
import { parse } from 'yaml'
import { chart } from './rendering.js'
import { services } from './service-environment.js'

const read = (file: string) => readFileSync(join(chart, 'files', file), 'utf8')

interface Facts {
  readonly activeMetric?: string
  readonly capacityMetric?: string
  readonly drainVariable?: string
}
const facts: Record<string, Facts> = parse(read('services.yaml'))

interface Rule {
  readonly alert: string
  readonly expr: string
}
const alerts: Rule[] = parse(read('alerts.yaml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
const queries = readdirSync(join(chart, 'files/dashboards')).flatMap((file) =>
  JSON.parse(read(`dashboards/${file}`)).panels.flatMap(
    ({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr })),
  ),
)

/** Every metric that a process exports, with the parts of histograms; and what Prometheus itself adds. */
const exported = async (): Promise<ReadonlySet<string>> => {
  const described = await createMetrics({ ofProcess: true }).registry.getMetricsAsJSON()
  const names = described.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => `${name}${part}`) : [name],
  )
  return new Set([...names, 'up'])
}

/** The metrics that a query reads: the words that are no functions, and not within braces, brackets or quotes. */
const metricsIn = (query: string): string[] => {
  const bare = query.replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, '').replace(/\bby \([^)]*\)/g, '')
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['by', 'le'].includes(name))
}

test('every query of an alert or a dashboard reads metrics that a process exports', async () => {
  const names = await exported()
  const all = [...queries, ...alerts.map(({ alert, expr }) => ({ where: alert, expr }))]
  expect(all.length).toBeGreaterThan(30)
  const unknown = all.flatMap(({ where, expr }) =>
    metricsIn(expr)
      .filter((name) => !names.has(name))
      .map((name) => `${where}: ${name}`),
  )
  expect(unknown).toEqual([])
  expect(all.filter(({ expr }) => metricsIn(expr).length === 0)).toEqual([])
})

test('a query of a metric that no process exports would be found', async () => {
  const names = await exported()
  expect(metricsIn('sum by (le) (rate(parlance_speech_total{engine="up"}[5m])) > 0.01')).toEqual([
    'parlance_speech_total',
  ])
  expect(names.has('parlance_speech_total')).toBe(false)
})

test('the capacity that autoscaling reads is exported, and the drain of a service is a variable of it', async () => {
  const names = await exported()
  for (const [name, { activeMetric, capacityMetric, drainVariable }] of Object.entries(facts)) {
    for (const metric of [activeMetric, capacityMetric]) if (metric !== undefined) expect(names).toContain(metric)
    expect(services.get(name)?.drainMs !== undefined).toBe(drainVariable !== undefined)
  }
})
