import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readDocument, root } from '../documents.js'
import { describeWithHelm } from './describe-with-helm.js'
import { chart } from './rendering.js'

const documents = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .concat('deploy/helm/parlance/README.md')

type Values = { readonly [key: string]: unknown }
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const values: Values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))
const services = Object.keys(values.services as Values)

/** Whether the chart has a value such as `media.loadBalancer.addresses`; a service has those of `defaults` too. */
const exists = (path: readonly string[], at: unknown = values): boolean => {
  const [key, ...rest] = path
  if (key === undefined) return true
  // The schema checks variables, and what is in a list or an empty object is the user's.
  if (!isObject(at) || Object.keys(at).length === 0) return true
  if (at === values && key === 'services') {
    const [service = 'tts', ...ofService] = rest
    return (service === 'NAME' || services.includes(service)) && exists(ofService, values.defaults)
  }
  return key in at && exists(rest, at[key])
}

/** Names in code that begin with a key of the chart's values: `image.tag`, `networkPolicy.internet`. */
const valuesNamedIn = (text: string): string[] =>
  [...text.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z]+)+)(?=[`:])/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.split('.', 1)[0]! in values)

/** Operators of Helm read these. Words such as `engines.json` in the others name files. */
const operators = ['install', 'scale', 'upgrade', 'backup', 'secure', 'doctor', 'run-books'].map(
  (name) => `docs/${name}.md`,
)

test.each(operators)('every value of the chart that %s names exists', (document) => {
  const names = valuesNamedIn(readDocument(document))
  expect(names.filter((name) => !exists(name.split('.')))).toEqual([])
})

test('a value that does not exist is found', () => {
  expect(exists(['media', 'loadBalancer', 'addresses'])).toBe(true)
  expect(exists(['services', 'tts', 'networkPolicy', 'extraEgress'])).toBe(true)
  expect(exists(['media', 'loadBalancers'])).toBe(false)
  expect(exists(['services', 'tts', 'network'])).toBe(false)
})

const commandsIn = (text: string): string[] =>
  [...text.replaceAll('\\\n', ' ').matchAll(/^ *helm (?:install|upgrade) parlance (.*)$/gm)].map(
    ([, line = '']) => line,
  )

/** The words of a command as a shell reads them. Quotes may be within a word: `mail.from="Parlance <speech@example.com>"`. */
const wordsOf = (line: string): string[] =>
  (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''))

/** Blocks of YAML whose keys are those of the chart. */
const blocksIn = (text: string): string[] =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .map(([, block = '']) => block)
    .filter((block) => Object.keys(parse(block)).every((key) => key in values))

await describeWithHelm('what the documents say to Helm', (helms) => {
  const [helm] = helms
  const file = join(root, 'node_modules/.cache', `documented-values-${process.pid}.yaml`)
  afterAll(() => rmSync(file, { force: true }))

  const render = async (args: readonly string[]) => {
    const { code, errors } = await helm!.run('template', 'parlance', ...args)
    expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringMatching(/error/i) })
  }

  const commands = documents.flatMap((document) =>
    commandsIn(readDocument(document)).map((line) => [document, line] as const),
  )
  test('there are commands', () => expect(commands.length).toBeGreaterThanOrEqual(3))

  test.each(commands)('%s: helm install parlance %s', async (_document, line) => {
    const withValues = line.replace('my-values.yaml', 'deploy/helm/parlance/values-production.yaml')
    // `template` waits for nothing.
    const args = wordsOf(withValues.replaceAll(/--(wait|create-namespace)\b|--timeout \S+/g, ''))
    await render(args.map((arg) => (arg.startsWith('deploy/') ? join(root, arg) : arg)))
  })

  const blocks = documents.flatMap((document) =>
    blocksIn(readDocument(document)).map((block) => [document, block] as const),
  )
  test.each(blocks)('%s: the values\n%s', async (_document, block) => {
    writeFileSync(file, block)
    await render([chart, '--values', join(chart, 'values-production.yaml'), '--values', file])
  })
})
