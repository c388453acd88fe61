import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeWithPrograms } from '@parlance/testing'
import { parse, stringify } from 'yaml'
import { describeWithHelm } from './describe-with-helm.js'
import { chart, render } from './rendering.js'
import { services } from './service-environment.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const casesFile = fileURLToPath(new URL('alert-cases.yaml', import.meta.url))
const runbooks = 'docs/run-books.md'

interface Rule {
  readonly alert?: string
  readonly annotations?: { readonly summary: string; readonly runbook_url: string }
}
interface RuleGroup {
  readonly rules: readonly Rule[]
}
const alertsIn = (groups: readonly RuleGroup[]) =>
  groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined)

interface Case {
  readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
}

const readYaml = async (file: string) => parse(await readFile(file, 'utf8'), { merge: true })

test('every alert links to its section of the run-books, and every section has an alert', async () => {
  const alerts = alertsIn((await readYaml(join(chart, 'files/alerts.yaml'))).groups)
  const page = await readFile(join(root, runbooks), 'utf8')
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  expect(sections.sort()).toEqual(alerts.map(({ alert }) => alert).sort())
  for (const { alert, annotations } of alerts)
    expect(annotations!.runbook_url).toBe(`${runbooks}#${alert!.toLowerCase()}`)
})

test('every alert has a case in which it fires and one in which it does not', async () => {
  const alerts = alertsIn((await readYaml(join(chart, 'files/alerts.yaml'))).groups).map(({ alert }) => alert)
  const { tests }: { tests: Case[] } = await readYaml(casesFile)
  const cases = tests.flatMap(({ alert_rule_test = [] }) => alert_rule_test)
  const namesOf = (fires: boolean) => [
    ...new Set(cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname)),
  ]
  expect(namesOf(true).sort()).toEqual(alerts.sort())
  expect(namesOf(false).sort()).toEqual(alerts)
})

const promtool = async (...args: readonly string[]) => {
  const { stdout } = await promisify(execFile)('promtool', args)
  return stdout
}

await describeWithHelm('the rules of the chart', ([helm]) => {
  describeWithPrograms(['prometheus'], 'as Prometheus reads them', () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parlance-rules-'))
      await cp(casesFile, join(folder, 'alert-cases.yaml'))
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    /** Writes the rules that the chart renders, changed by `change`, and resolves to their groups. */
    const writeRules = async (valuesFile: string, change = (text: string) => text): Promise<RuleGroup[]> => {
      const objects = await render(helm!, valuesFile, '--namespace', 'speech')
      const { groups } = objects.find(({ kind }) => kind === 'PrometheusRule')!.spec
      await writeFile(join(folder, 'rules.yaml'), change(stringify({ groups })))
      return groups
    }
    const checkRules = () => promtool('check', 'rules', join(folder, 'rules.yaml'))
    const testRules = () => promtool('test', 'rules', join(folder, 'alert-cases.yaml'))

    test('they are valid, and every alert fires and does not fire as its cases state', async () => {
      await writeRules('values-production.yaml')
      expect(await checkRules()).toContain('SUCCESS: 13 rules found')
      expect(await testRules()).toContain('SUCCESS')
    }, 60_000)

    test('a rule that is not valid is found, and one that fires too late', async () => {
      await writeRules('values-production.yaml', (text) => text.replace('> 1.5', '> > 1.5'))
      await expect(checkRules()).rejects.toThrow('parse error')
      await writeRules('values-production.yaml', (text) => text.replace('> 0.01', '> 0.05'))
      await expect(testRules()).rejects.toThrow('alertname: ParlanceRequestsFail')
    }, 60_000)

    test('a rule that other programs of the namespace would fire, or that misses a service without a target, is found', async () => {
      await writeRules('values-production.yaml', (text) =>
        text.replaceAll(/(http_server_request_duration_seconds_count\{)app_kubernetes_io_part_of="parlance",?/g, '$1'),
      )
      await expect(testRules()).rejects.toThrow('alertname: ParlanceRequestsFail')
      await writeRules('values-production.yaml', (text) => text.replace(/job="webhooks"/, 'job="tts"'))
      await expect(testRules()).rejects.toThrow('alertname: ParlanceServiceMissing')
    }, 60_000)

    test('a service is missed only where it has replicas and a ServiceMonitor', async () => {
      const missedWith = async (...args: readonly string[]) => {
        const objects = await render(helm!, 'values-production.yaml', ...args)
        const { groups } = objects.find(({ kind }) => kind === 'PrometheusRule')!.spec
        const expressions: string[] = groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
          rules.map(({ expr }) => expr),
        )
        return expressions.flatMap((expr) =>
          [...expr.matchAll(/absent\(up\{.*?job="([\w-]+)"\}/g)].map(([, job]) => job),
        )
      }
      expect(await missedWith()).toEqual([...services.keys()].sort())
      expect(await missedWith('--set', 'services.webhooks.replicas=0')).not.toContain('webhooks')
      expect(await missedWith('--set', 'metrics.serviceMonitor.enabled=false')).toEqual([])
    })

    test('the targets of every ServiceMonitor have the label by which the alerts know them', async () => {
      const objects = await render(helm!, 'values-production.yaml')
      const monitors = objects.filter(({ kind }) => kind === 'ServiceMonitor')
      expect(monitors.length).toBe(9)
      for (const { spec } of monitors) expect(spec.targetLabels).toEqual(['app.kubernetes.io/part-of'])
      const services = objects.filter(({ metadata }) => metadata.labels?.['parlance/endpoint'] === 'health')
      expect(services.length).toBeGreaterThanOrEqual(9)
      for (const { metadata } of services) expect(metadata.labels!['app.kubernetes.io/part-of']).toBe('parlance')
    })

    test('their links lead to the address that the values give', async () => {
      const alerts = alertsIn(await writeRules('ci/autoscaling-values.yaml'))
      expect(alerts.length).toBeGreaterThan(0)
      expect(alerts.map(({ annotations }) => annotations!.runbook_url)).toEqual(
        alerts.map(({ alert }) => `https://runbooks.example.com/parlance#${alert!.toLowerCase()}`),
      )
    })
  })
})

test('the targets in docker-compose.yml have the label by which the alerts know what belongs to Parlance', async () => {
  const { scrape_configs } = await readYaml(join(root, 'deploy/observability/prometheus.yaml'))
  const [{ static_configs }] = scrape_configs
  expect(static_configs[0].labels).toEqual({ namespace: 'compose', app_kubernetes_io_part_of: 'parlance' })
})

describeWithPrograms(['prometheus'], 'Prometheus in docker-compose.yml', () => {
  test('has a valid configuration, with the alerts of the chart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-prometheus-'))
    try {
      const configuration = await readFile(join(root, 'deploy/observability/prometheus.yaml'), 'utf8')
      const alerts = join(chart, 'files/alerts.yaml')
      await writeFile(
        join(folder, 'prometheus.yml'),
        configuration.replace('/etc/prometheus/alerts.yaml', () => alerts),
      )
      const output = await promtool('check', 'config', join(folder, 'prometheus.yml'))
      expect(output).toContain(`${alerts}\n  SUCCESS: 11 rules found`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
