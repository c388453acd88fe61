import { parseArgs } from 'node:util'

/**
 * The options of the command line, as `check` returns them, and `positionals`. Ends the process with 0 after `--help`, and with 2 when
 * the command line is wrong, of which it prints one line. `usage` names the command, such as `npm run release`.
 */
export const optionsOrExit = (usage, { options, ...settings }, check = (values) => values) => {
  try {
    const help = { type: 'boolean', short: 'h' }
    const { values, positionals } = parseArgs({ ...settings, options: { ...options, help } })
    if (!values.help) return check({ ...values, positionals })
    console.log(usage)
    process.exit(0)
  } catch (error) {
    console.error(`${error.message}. Try: ${/npm run \S+/.exec(usage)[0]} -- --help`)
    process.exit(2)
  }
}
