import { figure } from './figure.mjs'

const width = 560
const height = 150
const colors = ['#3b7ddd', '#d9822b', '#2e9e5b', '#c23b3b', '#8457c9', '#0f9bb0', '#a06a2c', '#777777']

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const chart = ({ unit, series }) => {
  const all = series.flatMap(({ values }) => values)
  const times = all.map(([at]) => at)
  const from = Math.min(...times)
  const spanSeconds = Math.max(...times) - from || 1
  const top = Math.max(...all.map(([, value]) => value)) || 1
  const point = ([at, value]) =>
    `${(((at - from) / spanSeconds) * width).toFixed(1)},${(height - (value / top) * height).toFixed(1)}`
  const lines = series.map(
    ({ values }, index) =>
      `<polyline fill="none" stroke-width="1.5" stroke="${colors[index % colors.length]}" points="${values.map(point).join(' ')}"/>`,
  )
  return `<div class="top">${figure(unit, top)}</div><svg viewBox="0 -2 ${width} ${height + 4}">${lines.join('')}</svg>`
}

const legend = ({ unit, series }) =>
  series
    .map(
      ({ name, values }, index) =>
        `<li style="color:${colors[index % colors.length]}">${escaped(name)} <b>${figure(unit, values.at(-1)[1])}</b></li>`,
    )
    .join('')

const panelOf = (panel) =>
  `<section><h3>${escaped(panel.title)}</h3>${
    panel.series.length === 0 ? '<p>no data</p>' : `${chart(panel)}<ul>${legend(panel)}</ul>`
  }</section>`

const style = `body{font:13px sans-serif;margin:16px;color:#222}main{display:grid;grid-template-columns:repeat(2,${width}px);gap:12px}
section{border:1px solid #ccc;padding:8px}h3{margin:0 0 4px}svg{width:100%;background:#f7f7f7}ul{margin:4px 0;padding:0;list-style:none}
li{display:inline-block;margin-right:12px}.top{color:#777}p{color:#c23b3b}`

/** An HTML page with a chart for each panel. Its heading is the highest value, the legend has the latest one. */
export const pageOf = (dashboards) =>
  `<!doctype html><meta charset="utf-8"><title>Dashboards</title><style>${style}</style>${dashboards
    .map(({ title, panels }) => `<h2>${escaped(title)}</h2><main>${panels.map(panelOf).join('')}</main>`)
    .join('')}`
