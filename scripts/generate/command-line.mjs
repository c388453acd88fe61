import { installationCommands } from '../../admin/dist/commands.js'
import { runCommandLine } from '../../cli/dist/command-line.js'

const unused = async () => {
  throw new Error('The help calls nothing.')
}
/** Has no `then`, since it is awaited. */
const models = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : unused) })

const helpOf = async (path) => {
  let printed = ''
  const print = (text) => {
    printed += text
  }
  const installation = {
    ...{ migrate: unused, diagnose: unused, openRunningCalls: unused },
    ...{ openModels: async () => models, modelsDir: '.parlance/models' },
  }
  const calls = { openCalls: unused, openTestedPlatform: unused, findToolKey: unused, findGatewayUrl: unused }
  const access = { findApi: unused, profiles: { read: unused, write: unused, readKey: unused } }
  const output = { progress: () => {}, print, printError: print, width: undefined, isColored: false }
  const addCommands = installationCommands({ ...installation, ...output })
  await runCommandLine([...path, '--help'], { ...calls, ...access, ...output, addCommands })
  return printed.trim()
}

/** The names below "Commands:" in a help text. */
const commandsIn = (help) =>
  [...(help.split(/^Commands:\n/m)[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help')

/** The sections of a command and of those below it. */
const sectionsOf = async (path) => {
  const help = await helpOf(path)
  const below = []
  for (const name of commandsIn(help)) below.push(...(await sectionsOf([...path, name])))
  const heading = `${'#'.repeat(Math.min(path.length + 1, 3))} ${path.join(' ')}`
  return path.length === 0 ? below : [`${heading}\n\n\`\`\`text\n${help}\n\`\`\``, ...below]
}

const introduction = `# Command line

Every command of \`npx parlance\`. It works on the services behind \`NATS_URL\` where that is set; else on the \`npm start\` that runs in
the folder, or on the data that it left there. [operate.md](operate.md) has the commands that are used most. After any command
\`--json\` prints one JSON value for scripts.

<!-- Written by \`npm run generate\` from the commands. -->
`

/** The page with the help of every command. */
export const commandLine = async () => ({
  'docs/command-line.md': `${[introduction.trim(), ...(await sectionsOf([]))].join('\n\n')}\n`,
})
