import { relative } from 'node:path'
import { parseArgs } from 'node:util'

/** The name of the running benchmark. */
const program = `node ${relative(process.cwd(), process.argv[1])}`

const common = {
  json: { type: 'boolean', default: false, help: 'print the figures as JSON' },
  assert: { type: 'boolean', default: false, help: 'end with 1 when a goal is missed' },
  help: { type: 'boolean', default: false, help: 'show this' },
}

const usage = (purpose, options) => {
  const lines = Object.entries(options).map(([option, { type, default: value, help }]) => {
    const left = type === 'boolean' ? `--${option}` : `--${option} ${value || '…'}`
    return `  ${left.padEnd(20)} ${help}`
  })
  return `${program}: ${purpose}\n\n${lines.join('\n')}`
}

/**
 * The options of a benchmark, each `{ type, default, help }`. One whose default is a number is read as one. A wrong
 * command line is one clear line and exit code 2.
 */
export const commandLine = (purpose, own) => {
  const options = { ...own, ...common }
  const strings = Object.entries(options).map(([option, { type, default: value }]) => [
    option,
    type === 'boolean' ? { type, default: value } : { type: 'string', default: String(value) },
  ])
  try {
    const { values } = parseArgs({ options: Object.fromEntries(strings) })
    for (const [option, { type, default: value }] of Object.entries(options)) {
      if (type !== 'number') continue
      values[option] = Number(values[option])
      if (!(values[option] > 0)) throw new Error(`--${option} takes a number above 0, e.g. ${value}`)
    }
    if (!values.help) return values
    console.log(usage(purpose, options))
    process.exit(0)
  } catch (error) {
    console.error(`${error.message}\nTry: ${program} --help`)
    process.exit(2)
  }
}
