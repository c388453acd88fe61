/** To three digits, in the largest step that the value reaches, or the smallest one. */
const inSteps = (steps) => (value) => {
  const [size, suffix] = value === 0 ? steps[0] : (steps.findLast(([size]) => Math.abs(value) >= size) ?? steps[0])
  return `${Number((value / size).toPrecision(3))}${suffix}`
}
const count = (suffix) =>
  inSteps([
    [1, suffix],
    [1e3, ` k${suffix}`],
    [1e6, ` M${suffix}`],
  ])

/** The units of Grafana that the dashboards use. */
const units = {
  none: count(''),
  reqps: count(' req/s'),
  ops: count(' ops/s'),
  percentunit: (value) => `${Number((value * 100).toPrecision(3))} %`,
  bytes: inSteps([
    [1, ' B'],
    [2 ** 10, ' KiB'],
    [2 ** 20, ' MiB'],
    [2 ** 30, ' GiB'],
  ]),
  s: inSteps([
    [1e-6, ' µs'],
    [1e-3, ' ms'],
    [1, ' s'],
    [60, ' min'],
  ]),
}

/** A value in a unit of Grafana. Throws for a unit that the dashboards do not use. */
export const figure = (unit, value) => {
  const format = units[unit]
  if (format === undefined) throw new Error(`There is no format for the unit "${unit}".`)
  return format(value)
}
