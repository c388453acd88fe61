import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics } from '@parlance/telemetry'
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

test('the capacity that autoscaling reads is exported, and the drain of a service is a variable of it', async () => {
  const names = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name)
  for (const [name, { activeMetric, capacityMetric, drainVariable }] of Object.entries(facts)) {
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
