import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const scripts = fileURLToPath(new URL('../scripts', import.meta.url))

interface Ended {
  code: number
  output: string
  lastLine: string | undefined
}

/** A small npm workspace with a fake npm and a fake compiler, which append their names to `steps`. */
describe('npm start and npm test', () => {
  let root: string
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  const appendStep = (what: string) =>
    `require('node:fs').appendFileSync(${JSON.stringify(join(root, 'steps'))}, '${what}\\n')`

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'parlance-scripts-')))
    await cp(scripts, join(root, 'scripts'), { recursive: true })
    await write('package-lock.json', '{}')
    await write('tsconfig.json', '{ "references": [{ "path": "libs/a" }] }')
    await write('tsconfig.base.json', '{}')
    for (const name of ['package.json', 'tsconfig.json', 'src/index.ts']) await write(`libs/a/${name}`, '{}')
    await write('services/standalone/dist/main.js', `console.log('serving')`)
    await write('services/standalone/package.json', '{ "type": "module" }')
    await write(
      'compiler.js',
      `${appendStep('build')}; require('node:fs').mkdirSync('libs/a/dist', { recursive: true }); console.log('compiled')`,
    )
    await write(
      'npm-cli.js',
      `${appendStep('install')}
       const { cpSync, rmSync } = require('node:fs')
       rmSync('node_modules', { recursive: true, force: true })
       cpSync('compiler.js', 'node_modules/typescript/bin/tsc', { recursive: true })
       cpSync('package-lock.json', 'node_modules/.package-lock.json')`,
    )
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const run = (script: string): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, npm_execpath: join(root, 'npm-cli.js'), TMPDIR: root, FC_SEED: '4711' }
      execFile(process.execPath, [join(root, script)], { env, cwd: root }, (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : Number(error.code),
          output: stdout + stderr,
          lastLine: stdout.trim().split('\n').at(-1),
        }),
      )
    })
  const start = () => run('scripts/start.mjs')
  /** Starts, and resolves to the steps that ran. */
  const steps = async () => {
    await write('steps', '')
    expect(await start()).toMatchObject({ code: 0, output: expect.stringMatching(/serving\n$/) })
    return (await readFile(join(root, 'steps'), 'utf8')).trim().split('\n').filter(Boolean)
  }
  const inTheFuture = new Date(Date.now() + 60_000)

  test('installs and builds at the first start, then only serves', async () => {
    expect(await steps()).toEqual(['install', 'build'])
    expect(await steps()).toEqual([])
    expect((await start()).output).toBe('serving\n')
  })

  test('builds again when a source was changed, added or removed, or when the output is missing', async () => {
    await steps()
    await write('libs/a/src/index.ts', 'changed')
    expect(await steps()).toEqual(['build'])
    await write('libs/a/src/deeper/new.ts', '')
    expect(await steps()).toEqual(['build'])
    await rm(join(root, 'libs/a/src/deeper/new.ts'))
    expect(await steps()).toEqual(['build'])
    await rm(join(root, 'libs/a/dist'), { recursive: true })
    expect(await steps()).toEqual(['build'])
  })

  /** There is one suite with one test, in the last group of suites. It fails the first `failures` times. */
  const runTests = async (failures: number) => {
    await steps()
    await write('libs/testing/dist/test-seed.js', 'export const testSeed = () => Number(process.env.FC_SEED)')
    await write(
      'node_modules/jest/bin/jest.js',
      `const { existsSync, readFileSync, writeFileSync } = require('node:fs')
       const file = process.argv.find((one) => one.startsWith('--outputFile=')).slice('--outputFile='.length)
       const testResults = []
       if (process.argv.includes('--testPathIgnorePatterns')) {
         const before = existsSync('failures') ? Number(readFileSync('failures', 'utf8')) : 0
         const status = before < ${failures} ? 'failed' : 'passed'
         if (status === 'failed') { writeFileSync('failures', String(before + 1)); process.exitCode = 1 }
         testResults.push({ name: process.cwd() + '/tests/a.test.ts', status, assertionResults: [{ status }] })
       }
       writeFileSync(file, JSON.stringify({ testResults }))`,
    )
    await rm(join(root, 'failures'), { force: true })
    return run('scripts/test.mjs')
  }

  test('a suite that fails once and passes when repeated fails the run, which prints its path, the seed and that it has a race', async () => {
    const { code, output, lastLine } = await runTests(1)
    expect(code).toBe(1)
    expect(output).toMatch(/^race in tests\/a\.test\.ts: .*FC_SEED=4711/m)
    expect(lastLine).toBe('Tests: 1 failed, 1 total')
  })

  test('a run whose suites pass ends well, and one whose suite fails twice fails without a race', async () => {
    expect(await runTests(0)).toMatchObject({ code: 0, lastLine: 'Tests: 1 passed, 1 total' })
    const failed = await runTests(2)
    expect(failed).toMatchObject({ code: 1, lastLine: 'Tests: 1 failed, 1 total' })
    expect(failed.output).not.toContain('race in')
  })

  test('installs again when the lock file changed, not when it was only touched', async () => {
    await steps()
    await utimes(join(root, 'package-lock.json'), inTheFuture, inTheFuture)
    expect(await steps()).not.toContain('install')
    await write('package-lock.json', '{ "changed": true }')
    await utimes(join(root, 'package-lock.json'), inTheFuture, inTheFuture)
    expect(await steps()).toEqual(['install', 'build'])
  })

  test('trusts an installation that was made by hand', async () => {
    await write('node_modules/typescript/bin/tsc', await readFile(join(root, 'compiler.js'), 'utf8'))
    await write('node_modules/.package-lock.json', '{}')
    expect(await steps()).toEqual(['build'])
  })

  test('shows what a step printed only when it fails, and starts nothing then', async () => {
    expect((await start()).output).not.toContain('compiled')
    await write('node_modules/typescript/bin/tsc', `console.log('a.ts(1,1): wrong'); process.exitCode = 2`)
    await write('libs/a/src/index.ts', 'changed')
    const { code, output } = await start()
    expect(code).toBe(1)
    expect(output).toContain('a.ts(1,1): wrong')
    expect(output.trim().split('\n').at(-1)).toMatch(/^✗ Building failed after [\d.]+ s; what it printed is above\.$/)
    expect(output).not.toContain('serving')
  })
})

test.each([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['22.0.0', true],
  ['26.1.0', true],
])('Node %s is good enough: %s', async (version, expected) => {
  const { nodeVersionProblem } = (await import(join(scripts, 'node-version.mjs'))) as {
    nodeVersionProblem(version: string): string | undefined
  }
  const problem = nodeVersionProblem(version)
  expect(problem === undefined).toBe(expected)
  if (problem !== undefined) expect(problem).toMatch(new RegExp(`^[^\\n]*20\\.19 or later.*${version}[^\\n]*$`))
})

test('the counts of all tests take a suite that ran again as it failed first, and a suite that could not run as failed', async () => {
  const { createTestCounts } = (await import(join(scripts, 'test-counts.mjs'))) as {
    createTestCounts(): { take(file: string): void; line(): string; races(): string[] }
  }
  const folder = await mkdtemp(join(tmpdir(), 'parlance-counts-'))
  const report = join(folder, 'report.json')
  const suite = (name: string, status: string, ...tests: string[]) => ({
    name,
    status,
    assertionResults: tests.map((status) => ({ status })),
  })
  const counts = createTestCounts()
  const take = async (...testResults: object[]) => {
    await writeFile(report, JSON.stringify({ testResults }))
    counts.take(report)
    return counts.line()
  }
  expect(
    await take(suite('a', 'passed', 'passed', 'passed'), suite('b', 'failed', 'passed', 'failed', 'pending')),
  ).toBe('Tests: 1 failed, 1 skipped, 3 passed, 5 total')
  expect(counts.races()).toEqual([])
  expect(await take(suite('b', 'passed', 'passed', 'passed', 'passed'))).toBe(
    'Tests: 1 failed, 1 skipped, 3 passed, 5 total',
  )
  expect(counts.races()).toEqual(['b'])
  expect(await take(suite('c', 'failed'))).toBe('Tests: 2 failed, 1 skipped, 3 passed, 6 total')
  expect(await take(suite('c', 'failed'))).toBe('Tests: 2 failed, 1 skipped, 3 passed, 6 total')
  counts.take(report)
  expect(counts.line()).toBe('Tests: 3 failed, 1 skipped, 3 passed, 7 total')
  expect(counts.races()).toEqual(['b'])
  await rm(folder, { recursive: true })
})
