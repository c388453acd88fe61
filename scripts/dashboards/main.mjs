// `npm run dashboards`: shows the data of a Prometheus for each panel of the chart's dashboards, without Grafana.
import { writeFile } from 'node:fs/promises'
import { optionsOrExit } from '../options.mjs'
import { figure } from './figure.mjs'
import { pageOf } from './page.mjs'
import { evaluate } from './panels.mjs'

const usage = `npm run dashboards -- [OPTION]...: the latest values of each panel of the dashboards

  --prometheus URL   default http://127.0.0.1:9090
  --namespace NAME   default compose, the namespace of docker-compose.yml
  --minutes N        how far to look back; default 15
  --rate INTERVAL    over which rates are computed, four times the scrape interval; default 1m
  --html FILE        write a page with a chart for each panel
  --json             print the series as JSON
  --strict           end with 1 when a panel has no data
  --help             show this`

const checked = ({ minutes, ...values }) => {
  if (!(Number(minutes) > 0)) throw new Error('--minutes takes a number above 0, such as 15')
  return {
    ...values,
    minutes: Number(minutes),
    rateInterval: values.rate,
    prometheus: values.prometheus.replace(/\/$/, ''),
  }
}

const print = (dashboards) => {
  for (const { title, panels } of dashboards) {
    console.log(`\n${title}`)
    for (const { title, unit, series } of panels) {
      console.log(`  ${title}${series.length === 0 ? ': no data' : ''}`)
      for (const { name, values } of series) console.log(`    ${figure(unit, values.at(-1)[1]).padStart(12)}  ${name}`)
    }
  }
}

const show = async (options) => {
  const dashboards = await evaluate(options)
  if (options.json) console.log(JSON.stringify(dashboards))
  else print(dashboards)
  if (options.html !== undefined) await writeFile(options.html, pageOf(dashboards))
  const empty = dashboards.flatMap(({ panels }) => panels).filter(({ series }) => series.length === 0)
  if (!options.json) console.log(`\n${empty.length} panels have no data.`)
  if (options.strict && empty.length > 0) process.exitCode = 1
}

const options = optionsOrExit(
  usage,
  {
    options: {
      prometheus: { type: 'string', default: 'http://127.0.0.1:9090' },
      namespace: { type: 'string', default: 'compose' },
      minutes: { type: 'string', default: '15' },
      rate: { type: 'string', default: '1m' },
      html: { type: 'string' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  },
  checked,
)
try {
  await show(options)
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
