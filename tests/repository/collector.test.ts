import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { panels } from '../chart/queries.js'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const root = join(deploy, '..')

interface Pipeline {
  readonly receivers: readonly string[]
  readonly exporters: readonly string[]
}

const readYaml = async (...path: string[]) => parse(await readFile(join(...path), 'utf8'), { merge: true })

describe('the collector of docker-compose.yml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: The test states what the file contains.
  let collector: any
  let pipelines: Record<string, Pipeline>
  beforeAll(async () => {
    collector = await readYaml(deploy, 'observability/collector.yaml')
    pipelines = collector.service.pipelines
  })

  test('receives traces, metrics and logs by OTLP', () => {
    const receiving = Object.entries(pipelines).filter(([, { receivers }]) => receivers.includes('otlp'))
    expect(receiving.map(([name]) => name.split('/')[0]).sort()).toEqual(['logs', 'metrics', 'traces'])
  })

  test('has every component that a pipeline names, uses every one, and lets each connector join two pipelines', () => {
    const { receivers, exporters, connectors } = collector
    const used = (side: keyof Pipeline) => new Set(Object.values(pipelines).flatMap((pipeline) => pipeline[side]))
    expect([...used('receivers')].sort()).toEqual([...Object.keys(receivers), ...Object.keys(connectors)].sort())
    expect([...used('exporters')].sort()).toEqual([...Object.keys(exporters), ...Object.keys(connectors)].sort())
  })

  test('is where Prometheus reads the metrics of spans, and where the documented variable sends what services record', async () => {
    const { scrape_configs } = await readYaml(deploy, 'observability/prometheus.yaml')
    const { static_configs } = scrape_configs.find(({ job_name }: { job_name: string }) => job_name === 'traces')
    const port = collector.exporters.prometheus.endpoint.split(':')[1]
    expect(static_configs).toEqual([{ targets: [`collector:${port}`] }])

    const guide = await readFile(join(deploy, 'README.md'), 'utf8')
    const otlpPort = collector.receivers.otlp.protocols.http.endpoint.split(':')[1]
    expect(guide).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:${otlpPort} `)
    const { services } = await readYaml(root, 'docker-compose.yml')
    const built = Object.values<{ image: string; environment: Record<string, string> }>(services).filter(
      ({ image }) => image === 'parlance:local',
    )
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_METRICS_EXPORTER', 'OTEL_LOGS_EXPORTER'])
      for (const { environment } of built) expect(environment[name]).toBe(`\${${name}:-}`)
  })
})

test('Prometheus of docker-compose.yml keeps exemplars, and every panel of times shows them', async () => {
  const { services } = await readYaml(root, 'docker-compose.yml')
  expect(services.prometheus.command).toContain('--enable-feature=exemplar-storage')
  const wrong = panels.flatMap(({ dashboard, title, targets }) =>
    targets
      .filter(({ expr, exemplar = false }) => exemplar !== expr.includes('_bucket'))
      .map(({ expr }) => `${dashboard}: ${title}: ${expr}`),
  )
  expect(wrong).toEqual([])
})
