import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { chart } from './rendering.js'

/** A query of an alert or of a panel. */
export interface Query {
  /** The alert, or the dashboard and the panel. */
  readonly where: string
  /** PromQL. The namespace is that of docker-compose.yml, other variables of Grafana have a value. */
  readonly expr: string
  /** How a panel names each series: text with labels in double braces. */
  readonly legend: string
}

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string; readonly exemplar?: boolean }[]
}

const filesIn = join(chart, 'files')
const read = (file: string) => readFileSync(join(filesIn, file), 'utf8')

/** The panels of each dashboard of the chart. */
export const panels: readonly (Panel & { readonly dashboard: string })[] = readdirSync(
  join(filesIn, 'dashboards'),
).flatMap((file) => {
  const { title: dashboard, panels } = JSON.parse(read(`dashboards/${file}`))
  return panels.map((panel: Panel) => ({ ...panel, dashboard }))
})

const withValues = (expr: string) => expr.replaceAll('$namespace', 'compose').replaceAll('$__rate_interval', '1m')

const alerts: readonly { alert: string; expr: string }[] = parse(read('alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: { alert: string; expr: string }[] }) => rules,
)

/** Every query of the alerts and the dashboards. */
export const queries: readonly Query[] = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr, legend: '' })),
  ...panels.flatMap(({ dashboard, title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: `${dashboard}: ${title}`,
      expr: withValues(expr),
      legend: legendFormat,
    })),
  ),
]
