// The panels of the chart's dashboards, and the results of their queries from a Prometheus.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../deploy/helm/parlance/files/dashboards', import.meta.url))
const points = 120

/** The dashboards: `{ title, panels: [{ title, unit, targets: [{ expr, legendFormat }] }] }`. */
export const readDashboards = () =>
  readdirSync(folder).map((file) => {
    const { title, panels } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return {
      title,
      panels: panels.map(({ title, fieldConfig, targets }) => ({ title, unit: fieldConfig.defaults.unit, targets })),
    }
  })

const named = (legend, labels) => legend.replace(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? '').trim()

/** Rejects with the reason of Prometheus. */
const ask = async (url, path, parameters) => {
  const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`).catch((error) => {
    throw new Error(`Prometheus at ${url} cannot be reached: ${error.cause?.message ?? error.message}`)
  })
  const { status, data, error } = await response.json()
  if (status !== 'success') throw new Error(`Prometheus at ${url}: ${error}`)
  return data
}

/**
 * The series of a panel over the last minutes: `[{ name, values: [[seconds, number]] }]`, without points that are not
 * numbers.
 */
const seriesOf = async ({ targets }, { prometheus, namespace, minutes, rateInterval }) => {
  const end = Date.now() / 1000
  const range = { start: end - minutes * 60, end, step: Math.max(1, (minutes * 60) / points) }
  const answers = await Promise.all(
    targets.map(async ({ expr, legendFormat }) => {
      const query = expr.replaceAll('$namespace', namespace).replaceAll('$__rate_interval', rateInterval)
      const { result } = await ask(prometheus, 'query_range', { query, ...range })
      return result.map(({ metric, values }) => ({
        name: named(legendFormat, metric),
        values: values.map(([at, value]) => [at, Number(value)]).filter(([, value]) => Number.isFinite(value)),
      }))
    }),
  )
  return answers.flat().filter(({ values }) => values.length > 0)
}

/** The dashboards with the `series` of each panel. */
export const evaluate = async (options) => {
  const evaluated = []
  for (const { title, panels } of readDashboards()) {
    const withSeries = []
    for (const panel of panels) withSeries.push({ ...panel, series: await seriesOf(panel, options) })
    evaluated.push({ title, panels: withSeries })
  }
  return evaluated
}
