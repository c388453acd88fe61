import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { documents, readDocument } from '../documents.js'

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url))

test.each([
  ['20.18.3', false],
  ['20.19.0', true],
  ['22.0.0', true],
])('Node %s is new enough: %s', async (version, expected) => {
  const { nodeVersionProblem } = (await import(join(scripts, 'node-version.mjs'))) as {
    nodeVersionProblem(version: string): string | undefined
  }
  const problem = nodeVersionProblem(version)
  expect(problem === undefined).toBe(expected)
  if (problem !== undefined) expect(problem).toMatch(new RegExp(`^[^\\n]*20\\.19 or later.*${version}[^\\n]*$`))
})

test.each([
  ['test:clients', 'client-tests/main.mjs'],
  ['fuzz:api', 'api-fuzz/main.mjs'],
  ['fuzz:engines', 'fuzz-engines.mjs'],
  ['loudness', 'loudness.mjs'],
  ['pack', 'pack.mjs'],
  ['release', 'release.mjs'],
  ['screenshots', 'screenshots/main.mjs'],
  ['test:models', 'model-tests/main.mjs'],
  ['test:stranger', 'stranger-test/main.mjs'],
])('npm run %s prints its help, and one line for an option that does not exist', (name, file) => {
  const run = (option: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(scripts, file), option], { encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  expect(run('--help')).toEqual({
    ...{ status: 0, stderr: '' },
    stdout: expect.stringMatching(new RegExp(`^npm run ${name} -- .*\n[^]*--help`)),
  })
  expect(run('--nothing')).toEqual({
    ...{ status: 2, stdout: '' },
    stderr: expect.stringMatching(new RegExp(`^Unknown option '--nothing'.* Try: npm run ${name} -- --help\n$`)),
  })
})

test('every script of npm that a document names exists, and its help has each option that the document gives it', () => {
  const { scripts: lines } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
  const calls = documents.flatMap((document) =>
    [...readDocument(document).matchAll(/\bnpm run ([\w:-]+)(?: -- ([^`\n#]*))?/g)].map(
      ([call, name = '', args = '']) => ({
        ...{ document, call, name, options: args.match(/--[\w-]+/g) ?? [] },
      }),
    ),
  )
  expect(calls.length).toBeGreaterThan(60)
  expect(calls.filter(({ name }) => !(name in lines))).toEqual([])
  const withOptions = calls.filter(({ options }) => options.length > 0)
  expect(withOptions.length).toBeGreaterThan(5)
  const helpOf = new Map(
    [...new Set(withOptions.map(({ name }) => name))].map((name) => {
      const [node, file] = lines[name]!.split(' ')
      expect(node).toBe('node')
      return [name, spawnSync(process.execPath, [join(scripts, '..', file!), '--help'], { encoding: 'utf8' }).stdout]
    }),
  )
  expect(
    withOptions.filter(({ name, options }) => !options.every((option) => helpOf.get(name)!.includes(option))),
  ).toEqual([])
})

test('the build of the Docker image has each script that the build imports', async () => {
  const { metafile } = await build({
    entryPoints: [
      ...['scripts/compile.mjs', 'scripts/pack.mjs', 'web/widget/build.mjs'],
      ...['web/dashboard/vite.config.mjs', 'web/site/.vitepress/config.mjs'],
    ],
    absWorkingDir: join(scripts, '..'),
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external' },
    ...{ write: false, metafile: true, outdir: 'unused' },
  })
  const imported = Object.keys(metafile.inputs).filter((path) => path.startsWith('scripts/'))
  expect(imported).toContain('scripts/generate/server-libraries.mjs')
  expect(readDocument('.dockerignore').split('\n')).toEqual(expect.arrayContaining(imported.map((path) => `!${path}`)))
})
