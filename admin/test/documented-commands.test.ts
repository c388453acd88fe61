import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOggOpusEncoder } from '@parlance/audio/encoding'
import { runCommandLine } from '@parlance/cli'
import { installationCommands } from '../src/commands.js'
import type { ModelTools } from '../src/models/model-tools.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'deploy/README.md', 'cli/README.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The command line of operators, by itself or in the container `cli` of compose. */
const start = /(?:npx parlance|^parlance|docker compose run --rm (?:-\S+ )*cli) (?=\S)/g
/** The end of a command in a shell. */
const end = /\s*(?:[|;)>`]|&&|(?:^|\s)#)/
const word = /"([^"]*)"|'([^']*)'|(\S+)/g

interface DocumentedCommand {
  readonly document: string
  readonly line: string
  /** Whether it is from a block of commands. Otherwise the text names a command, and may omit its arguments. */
  readonly isWhole: boolean
}

const commandsIn = (document: string): DocumentedCommand[] => {
  const text = readFileSync(join(root, document), 'utf8').replaceAll('\\\n', ' ')
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block)
  const inline = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  const linesOf = (code: string, isWhole: boolean) =>
    [...code.matchAll(start)].map(({ 0: found, index }) => {
      const line = code.slice(index + found.length).split(end, 1)[0]!
      return { document, line: line.replaceAll(/\s+/g, ' ').trim(), isWhole }
    })
  return [
    ...blocks.flatMap((block) => block.split('\n').flatMap((line) => linesOf(line, true))),
    ...inline.flatMap((code) => linesOf(code, false)),
  ].filter(({ line }) => /^[a-z-]/.test(line) && !line.includes('…'))
}

const folder = mkdtempSync(join(tmpdir(), 'parlance-documented-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Files that the documents name. */
const [scenarios, recording] = [join(folder, 'front-desk.yaml'), join(folder, 'recording.ogg')] as const
writeFileSync(scenarios, 'agent: front-desk\nscenarios: [{ name: Greets, turns: [{ user: Hello }] }]\n')
writeFileSync(recording, createOggOpusEncoder({ sampleRateHz: 24_000, bitRate: 40_000, channels: 2 }).finish())

/** Values for the names that documents write in capitals or as variables. */
const values: Readonly<Record<string, string>> = {
  AMOUNT: '5',
  FOLDER: folder,
  KEY: randomUUID(),
  PORT: '40000',
  SECONDS: '60',
  WORKSPACE: randomUUID(),
  'nats-keys': folder,
  'front-desk.yaml': scenarios,
  'recording.ogg': recording,
}

const argumentsOf = (line: string): string[] =>
  [...line.replaceAll(/[[\]]/g, '').matchAll(word)]
    .map(([, double, single, plain]) => double ?? single ?? plain ?? '')
    .map((text) => values[text.replace(/^\$/, '')] ?? text)

/** A valid call reaches this error, so that no command is executed. */
const refuse = async () => {
  throw new Error('reached')
}
// Has no `then`, since it is awaited.
const models = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : refuse) }) as ModelTools

const call = async (args: readonly string[]): Promise<string> => {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const reached = {
    openCalls: refuse,
    openTestedPlatform: refuse,
    findToolKey: refuse,
    findGatewayUrl: refuse,
    findApi: refuse,
    profiles: { read: refuse, write: refuse, readKey: refuse },
  }
  const installation = {
    ...{ openRunningCalls: refuse, migrate: refuse, diagnose: refuse },
    ...{ openModels: async () => models, modelsDir: folder },
  }
  const output = { progress: () => {}, print, printError: print, width: undefined, isColored: false }
  const addCommands = installationCommands({ ...installation, ...output })
  await runCommandLine(args, { ...reached, ...output, addCommands })
  return printed
}

const found = documents.flatMap(commandsIn)

test('the documents have commands', () => {
  expect(found.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(30)
  expect(found.length).toBeGreaterThan(60)
})

test.each(found.map(({ document, line, isWhole }) => [document, line, isWhole] as const))(
  '%s: parlance %s is understood',
  async (_document, line, isWhole) => {
    const printed = await call(argumentsOf(line))
    const misunderstood = /^error: (?!Unexpected error: reached|missing required argument|required option)/m
    expect(printed).not.toMatch(isWhole ? /^error: (?!Unexpected error: reached)/m : misunderstood)
  },
)

test('a command, an option and an argument that do not exist are found', async () => {
  expect(await call(['workspaces', 'list'])).toMatch(/^error: unknown command/)
  expect(await call(['workspace', 'list', '--al'])).toMatch(/^error: unknown option/)
  expect(await call(['reconcile', values.WORKSPACE!, 'more'])).toMatch(/^error: too many arguments/)
})
