import { cpus, release } from 'node:os'

/** Lines of a table whose first column is text and whose others are figures. */
export const table = (header, rows) => {
  const cells = [header, ...rows].map((row) => row.map(String))
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ')
  return [line(cells[0]), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.slice(1).map(line)].join('\n')
}

export const atLeast = (goal) => ({ text: `≥ ${goal}`, met: (value) => value >= goal })
export const atMost = (goal) => ({ text: `≤ ${goal}`, met: (value) => value <= goal })

/** One goal: the result, the requirement, and whether it was met. */
export const goal = (name, value, unit, wanted) => ({ name, value, unit, wanted: wanted.text, met: wanted.met(value) })

const figure = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))

const goalTable = (goals) =>
  table(
    ['goal', 'reached', 'asked', ''],
    goals.map(({ name, value, unit, wanted, met }) => [
      name,
      `${figure(value)}${unit}`,
      `${wanted}${unit}`,
      met ? 'met' : 'NOT MET',
    ]),
  )

export const machine = () => `${cpus().length} × ${cpus()[0].model.trim()}, Linux ${release()}, Node ${process.version}`

/**
 * The end of a benchmark: text for people or one JSON object for programs. With `assert` a goal that was missed makes
 * the process end with 1.
 */
export const finish = ({ json, assert, text, figures, goals }) => {
  const summary = { machine: machine(), ...figures, goals }
  console.log(json ? JSON.stringify(summary, null, 2) : `\n${text}\n\n${goalTable(goals)}\n\n${machine()}`)
  if (assert && goals.some(({ met }) => !met)) process.exitCode = 1
}

/** Prints progress on stderr, so that stdout has the figures alone. */
export const say = (message) => process.stderr.write(`${message}\n`)
