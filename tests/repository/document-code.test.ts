/** Every block of code in the documents: its form is checked here, what can run is run by the tests of what it describes. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBinary } from '@parlance/testing'
import { parseAllDocuments } from 'yaml'
import { type CodeBlock, codeBlocksOf, documents, readDocument, root } from '../documents.js'

const blocks = documents.flatMap((document) =>
  codeBlocksOf(readDocument(document)).map((block) => ({ document, ...block })),
)
const nameOf = ({ document, line }: { readonly document: string } & CodeBlock) => `${document}:${line}`

const of = (...languages: readonly string[]) =>
  blocks.filter(({ language, unchecked }) => languages.includes(language) && unchecked === undefined)

/** Blocks of these are read by people alone: output, layouts of folders, settings of other programs. */
const plain = ['', 'text', 'ini', 'html', 'css']

test('every block is in a language that is checked, or is plain text', () => {
  expect(blocks.length).toBeGreaterThan(60)
  const known = [...plain, 'sh', 'ts', 'tsx', 'js', 'json', 'yaml', 'python']
  expect(blocks.filter(({ language }) => !known.includes(language)).map(nameOf)).toEqual([])
})

test('a block that is not checked has a reason in its first line', () => {
  expect(blocks.filter(({ unchecked }) => unchecked !== undefined && unchecked.length < 10).map(nameOf)).toEqual([])
})

test('blocks of TypeScript compile with the types of the packages that are built, and blocks of JavaScript have no syntax error', () => {
  const folder = join(root, `node_modules/.cache/document-code-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const names = new Map<string, string>()
  for (const block of of('ts', 'tsx', 'js')) {
    const file = `${block.document.replaceAll(/\W/g, '-')}-${block.line}.${block.language === 'js' ? 'mjs' : block.language}`
    names.set(file, nameOf(block))
    // On the first line, so that the lines of errors are those of the block.
    writeFileSync(join(folder, file), `${block.given} ${block.text}\nexport {}\n`)
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
  const problems = stdout.replaceAll(/^[\w-]+\.(?:mjs|tsx?)/gm, (file) => names.get(file) ?? file)
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

test('blocks of JSON and YAML can be parsed', () => {
  // A block may show one member of an object, or a message on each line.
  const parseJson = (text: string) => {
    if (text.startsWith('"')) JSON.parse(`{${text}}`)
    else if (/\}\n\{/.test(text)) for (const line of text.split('\n')) JSON.parse(line)
    else JSON.parse(text)
  }
  const parseYaml = (text: string) => {
    for (const { errors } of parseAllDocuments(text)) if (errors.length > 0) throw errors[0]
  }
  const problems = [
    ...of('json').map((block) => [nameOf(block), errorOf(() => parseJson(block.text))]),
    ...of('yaml').map((block) => [nameOf(block), errorOf(() => parseYaml(block.text))]),
  ]
  expect(problems.length).toBeGreaterThan(10)
  expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([])
})

test('blocks of commands have no syntax error', () => {
  const problems = of('sh')
    .map((block) => [nameOf(block), spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' }).stderr])
    .filter(([, errors]) => errors !== '')
  expect(problems).toEqual([])
})

const testWithPython = findBinary('python3') === undefined ? test.skip : test
testWithPython('blocks of Python have no syntax error', () => {
  const program = `import json, sys
for name, text in json.load(sys.stdin):
    try: compile(text, name, 'exec')
    except SyntaxError as error: print(f'{name}: {error}')`
  const input = JSON.stringify(of('python').map((block) => [nameOf(block), block.text]))
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
  expect([stdout, stderr]).toEqual(['', ''])
})
