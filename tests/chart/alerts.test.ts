import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

interface Series {
  readonly series: string
  readonly values: string
}
interface Case {
  readonly input_series: Series[]
  readonly alert_rule_test?: readonly {
    readonly alertname: string
    readonly exp_alerts: readonly { readonly exp_labels: Readonly<Record<string, string>> }[]
  }[]
}

const readYaml = async (file: string) => parse(await readFile(file, 'utf8'), { merge: true })

const targetOf = (service: string): string => {
  const labels = { app_kubernetes_io_part_of: 'parlance', job: service, container: service, pod: `speech-${service}-0` }
  const text = Object.entries({ ...labels, namespace: 'speech' }).map(([name, value]) => `${name}="${value}"`)
  return `up{${text.join(',')}}`
}

/** The cases of the file, in which no service is missing but those that a case says. */
const readCases = async () => {
  const file: { tests: Case[] } = await readYaml(casesFile)
  for (const { input_series: series, alert_rule_test: expectations = [] } of file.tests) {
    const ofMissing = expectations.filter(({ alertname }) => alertname === 'ParlanceServiceMissing')
    if (ofMissing.length === 0) continue
    const alerts = ofMissing.flatMap(({ exp_alerts }) => exp_alerts.map(({ exp_labels }) => exp_labels))
    for (const name of services.keys()) {
      const isThere = series.some(
        (one) => one.series.includes(`job="${name}"`) && /namespace="speech"/.test(one.series),
      )
      const isMissed = alerts.some(({ job, pod }) => job === name && pod === undefined)
      if (!isThere && !isMissed) series.push({ series: targetOf(name), values: '1x20' })
    }
  }
  return file
}

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
      await writeFile(join(folder, 'alert-cases.yaml'), stringify(await readCases()))
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
    })

    test('a rule that is not valid is found, and one that fires too late', async () => {
      await writeRules('values-production.yaml', (text) => text.replace('> 1.5', '> > 1.5'))
      await expect(checkRules()).rejects.toThrow('parse error')
      await writeRules('values-production.yaml', (text) => text.replace('> 0.01', '> 0.05'))
      await expect(testRules()).rejects.toThrow('alertname: ParlanceRequestsFail')
    })

    test('a rule that other programs of the namespace would fire, or that misses a service without a target, is found', async () => {
      await writeRules('values-production.yaml', (text) =>
        text.replaceAll(/(http_server_request_duration_seconds_count\{)app_kubernetes_io_part_of="parlance",?/g, '$1'),
      )
      await expect(testRules()).rejects.toThrow('alertname: ParlanceRequestsFail')
      await writeRules('values-production.yaml', (text) => text.replace(/job="webhooks"/, 'job="tts"'))
      await expect(testRules()).rejects.toThrow('alertname: ParlanceServiceMissing')
    })

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
      expect(monitors.length).toBe(services.size)
      for (const { spec } of monitors) expect(spec.targetLabels).toEqual(['app.kubernetes.io/part-of'])
      const endpoints = objects.filter(({ metadata }) => metadata.labels?.['parlance/endpoint'] === 'health')
      expect(endpoints.length).toBeGreaterThanOrEqual(monitors.length)
      for (const { metadata } of endpoints) expect(metadata.labels!['app.kubernetes.io/part-of']).toBe('parlance')
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
