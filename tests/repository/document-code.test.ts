/** Every block of code in the documents: its form is checked here, what can run is run by the tests of what it describes. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { agentConfigSchema, sourceSchema, webhookEventSchema } from '@parlance/contracts'
import { findBinary } from '@parlance/testing'
import { Ajv } from 'ajv'
import { Pod } from 'kubernetes-models/v1/Pod'
import { parse } from 'yaml'
import { z } from 'zod'
import { readScenarioFile } from '../../cli/src/agent-tests/run-scenario.js'
import { readFolderSettings } from '../../libs/models/src/folder-settings.js'
import { checkDocumentedMessage, checkDocumentedRequest } from '../../services/gateway/test/documented.js'
import { readEnginesConfig } from '../../services/tts/src/engines-config.js'
import {
  type CodeBlock,
  codeBlocksOf,
  documents,
  type Program,
  programsOf,
  readDocument,
  root,
  suitesOfPrograms,
} from '../documents.js'

const blocks = documents.flatMap(codeBlocksOf)
const nameOf = ({ document, line }: { readonly document: string; readonly line: number }) => `${document}:${line}`
const of = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language))
const programs = documents.flatMap(programsOf)

test('every block is in a language that is checked, or is plain text', () => {
  expect(blocks.length).toBeGreaterThan(60)
  const fences = documents.flatMap((document) => readDocument(document).match(/^ *(```|~~~)/gm) ?? [])
  expect(fences.length).toBe(2 * blocks.length)
  // Plain text is read by people alone: output, layouts of folders, settings of other programs.
  const known = ['text', 'ini', 'css', 'html', 'sh', 'ts', 'tsx', 'js', 'json', 'yaml', 'python']
  expect(blocks.filter(({ language }) => !known.includes(language)).map(nameOf)).toEqual([])
})

/** The documents that have such a comment, which gives a reason. */
const explained = (what: string): ReadonlySet<string> =>
  new Set(
    documents.filter((document) => new RegExp(`<!-- No test ${what}: .{10,}\\. -->`).test(readDocument(document))),
  )

/** Blocks that no test runs or checks and whose document does not say why, and documents that say why without such a block. */
const unexplained = (
  what: string,
  unrun: readonly { readonly document: string; readonly line: number }[],
): string[] => {
  const reasons = explained(what)
  return [
    ...unrun.filter(({ document }) => !reasons.has(document)).map(nameOf),
    ...[...reasons].filter((reason) => !unrun.some(({ document }) => document === reason)),
  ]
}

test('commands are run by a test, or their document says why no test runs them', () => {
  const unmarked = of('sh').filter(({ runBy }) => runBy === undefined)
  expect(unexplained('runs the other commands', unmarked)).toEqual([])
})

/** The paths of the files that are, or make up, what runs commands. */
const filesOf = (runBy: string): string[] => {
  if (runBy === '.ci/run') return [...readDocument(runBy).matchAll(/\bnode (\S+\.mjs)/g)].map(([, path = '']) => path)
  // `npm run test:models` is in scripts/model-tests.
  const [, script] = /^npm run test:(\w+)$/.exec(runBy) ?? []
  const folders = script === undefined ? ['tests', 'tests/repository'] : [`scripts/${script.replace(/s$/, '')}-tests`]
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      // This file names the function and many documents, and runs no commands.
      .filter((name) => name.endsWith(script === undefined ? '.test.ts' : '.mjs') && name !== 'document-code.test.ts')
      .map((name) => `${folder}/${name}`),
  )
}

/** The texts of the suites that read commands of documents. */
const suitesWhich = (runBy: string): string[] => {
  const read = runBy === 'A test' ? 'testedCommands(' : `documentedCommands('${runBy}'`
  return filesOf(runBy)
    .map(readDocument)
    .filter((suite) => suite.includes(read))
}

/** Whether CI has this command itself. The image has the name there that it has by default. */
const isInCi = (command: string): boolean =>
  readDocument('.ci/run').includes(command.replace(/ *#.*$/, '').replace(/(?<=--tag )\S+/, 'parlance:local'))

test('a suite reads each document whose commands are marked as run by it, or CI has the commands', () => {
  const marked = of('sh').flatMap((block) => (block.runBy === undefined ? [] : [{ ...block, runBy: block.runBy }]))
  const isRead = ({ document, runBy, text }: (typeof marked)[number]) =>
    suitesWhich(runBy).some((suite) => suite.includes(`'${document}'`)) || (runBy === '.ci/run' && isInCi(text))
  expect(marked.filter((block) => !isRead(block)).map(nameOf)).toEqual([])
})

test('programs are run by a test, or their document says why no test runs them', () => {
  const all = [...programs, ...of('html')]
  expect(
    unexplained(
      'runs the programs',
      all.filter(({ document }) => !(document in suitesOfPrograms)),
    ),
  ).toEqual([])
  const textOf = (folder: string, extension = '') =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(extension))
      .map((name) => readDocument(`${folder}/${name}`))
      .join()
  const documented = textOf('tests/documented')
  for (const [document, suite] of Object.entries(suitesOfPrograms)) {
    expect(all.some((program) => program.document === document)).toBe(true)
    const isRun = ({ name, extension }: Program) => {
      if (suite === 'scripts/client-tests')
        return new RegExp(`un_?documented\\(\\s*['"]${document}['"]`, 'i').test(textOf(suite, `.${extension}`))
      const runners = readDocument(suite) + documented
      // Other suites run the only program of their document.
      return suite === 'tests/examples.test.ts'
        ? runners.includes(name)
        : name.endsWith('-0') && runners.includes(document)
    }
    const unrun = programs.filter((program) => program.document === document && !isRun(program))
    expect(unrun.map(nameOf)).toEqual([])
  }
})

test('programs in TypeScript compile with the types of the packages that are built, and those in JavaScript have no syntax error', () => {
  const folder = join(root, `node_modules/.cache/document-code-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const documentOf = new Map<string, Program>()
  for (const program of programs.filter(({ extension }) => extension !== 'py')) {
    const file = `${program.name}.${program.extension}`
    documentOf.set(file, program)
    writeFileSync(join(folder, file), `${program.text}\nexport {}\n`)
  }
  const compilerOptions = {
    ...{
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['esnext', 'dom', 'dom.iterable'],
      types: ['node'],
      jsx: 'react-jsx',
    },
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowJs: true, checkJs: false },
  }
  // A bundler knows these imports.
  writeFileSync(join(folder, 'styles.d.ts'), "declare module '*.css'\n")
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  const problems = stdout.replaceAll(/^[\w-]+\.(?:mjs|tsx?)/gm, (file) => documentOf.get(file)?.document ?? file)
  expect(problems).toBe('')
})

const errorOf = (work: () => unknown): string | undefined => {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

/** The values of a block, which may show one member of an object, or a message on each line. */
const parseJson = (text: string): object[] => {
  if (text.startsWith('"')) return [JSON.parse(`{${text}}`)]
  return /\}\n\{/.test(text) ? text.split('\n').map((line) => JSON.parse(line)) : [JSON.parse(text)]
}

/** The method, the path and the body of each `curl` with JSON. */
const requestsOf = (commands: string) =>
  [
    ...commands
      .replaceAll('\\\n', ' ')
      .matchAll(/\bcurl\b(?:(?!curl)[^|;])*?\/v1(\/[^\s"'?]+)(?:(?!curl)[^|;])*? -d (?:'([^']*)'|"((?:\\.|[^"])*)")/g),
  ].map(([command, path, plain, escaped]) => ({
    method: /-X (\w+)/.exec(command)?.[1] ?? 'POST',
    path: `/v1${path}`,
    // Variables of the shell, and what a reader fills in, are ids.
    body: JSON.parse((plain ?? escaped!.replaceAll('\\"', '"')).replaceAll(/\$\w+|…/g, '0'.repeat(32))),
  }))

test('bodies of requests in commands are as the OpenAPI document describes them', () => {
  const requests = of('sh').flatMap((block) => requestsOf(block.text).map((request) => ({ block, ...request })))
  expect(requests.length).toBeGreaterThan(5)
  const problems = requests.map(({ block, method, path, body }) => [
    nameOf(block),
    errorOf(() => checkDocumentedRequest(method, path, body)),
  ])
  expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([])
})

const agentFields = Object.keys(agentConfigSchema.shape)
const isOfAgent = (value: object) => Object.keys(value).every((key) => agentFields.includes(key))
const values = parse(readDocument('deploy/helm/parlance/values.yaml'))
const isOfChart = (value: object) => Object.keys(value).every((key) => key in values)
const validateChartValues = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(readDocument('deploy/helm/parlance/values.schema.json')),
)
const checkChartValues = (value: object): void => {
  if (!validateChartValues(value)) throw new Error(JSON.stringify(validateChartValues.errors))
}

/** What fails unless the value is as documented, by document. */
// biome-ignore lint/suspicious/noExplicitAny: the value is checked
const checksOfData: Readonly<Record<string, (value: any) => void>> = {
  'docs/conversations.md': (value) => checkDocumentedRequest('POST', '/v1/agents/id/sessions', value),
  'docs/errors.md': (value) => checkDocumentedMessage('stream', 'ToClient', value),
  'docs/knowledge.md': ({ sources }) => z.array(sourceSchema).parse(sources),
  'docs/listen.md': (value) =>
    checkDocumentedMessage('listen', value.event === 'start' ? 'FromClient' : 'ToClient', value),
  'docs/protocols.md': (value) => checkDocumentedMessage('stream', 'FromClient', value),
  'docs/webhooks.md': (value) => webhookEventSchema.parse(value),
}

/** Reads a block as the program does that reads such a file, and rejects where it is wrong. */
const readAsFile = async (name: string, text: string, read: (path: string) => Promise<unknown>) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-document-'))
  await writeFile(join(folder, name), text)
  await read(join(folder, name)).finally(() => rm(folder, { recursive: true }))
}

/** Checks a value of a block, as what reads such values expects them. False where nothing here knows it. */
const checkValue = async ({ document, language, text }: CodeBlock, value: object): Promise<boolean> => {
  const check = checksOfData[document]
  if (language === 'json' && isOfAgent(value)) checkDocumentedRequest('PATCH', '/v1/agents/id', value)
  else if (language === 'yaml' && isOfChart(value)) checkChartValues(value)
  else if ('containers' in value) new Pod({ spec: value as NonNullable<Pod['spec']> }).validate()
  else if ('scenarios' in value) await readAsFile('scenarios.yaml', text, readScenarioFile)
  else if ('engines' in value)
    await readAsFile('engines.json', text, (path) =>
      readEnginesConfig(path, { espeakProcesses: 1, cacheMegabytes: 1, installedEngines: false }),
    )
  else if (document === 'docs/speech-models.md')
    await readAsFile('parlance.json', text, (path) => readFolderSettings(dirname(path)))
  else if (document === 'docs/tools.md' && 'tool_call_id' in value)
    return true // Of services/sessions/test/tools/webhook-tools.test.ts.
  else if (check === undefined) return false
  else check(value)
  return true
}

test('blocks of JSON and YAML are as what reads them expects, or their document says why no test checks them', async () => {
  const unchecked: CodeBlock[] = []
  const problems: string[] = []
  for (const block of of('json', 'yaml')) {
    try {
      for (const value of block.language === 'json' ? parseJson(block.text) : [parse(block.text)])
        if (!(await checkValue(block, value))) unchecked.push(block)
    } catch (error) {
      problems.push(`${nameOf(block)}: ${(error as Error).message}`)
    }
  }
  expect(problems).toEqual([])
  expect(unexplained('checks the data', unchecked)).toEqual([])
})

test('blocks of commands have no syntax error', () => {
  const problems = of('sh')
    .map((block) => [nameOf(block), spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' }).stderr])
    .filter(([, errors]) => errors !== '')
  expect(problems).toEqual([])
})

const testWithPython = findBinary('python3') === undefined ? test.skip : test
testWithPython('programs in Python have no syntax error', () => {
  const program = `import json, sys
for name, text in json.load(sys.stdin):
    try: compile(text, name, 'exec')
    except SyntaxError as error: print(f'{name}: {error}')`
  const pythonPrograms = programs
    .filter(({ extension }) => extension === 'py')
    .map(({ document, text }) => [document, text])
  const input = JSON.stringify(pythonPrograms)
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
  expect([stdout, stderr]).toEqual(['', ''])
})
