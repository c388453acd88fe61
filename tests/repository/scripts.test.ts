import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

test('the build of the Docker image has each script that the builds of the pages and the packing of packages import', () => {
  const read = (path: string) => readFileSync(join(scripts, '..', path), 'utf8')
  const builds = ['web/dashboard/vite.config.mjs', 'web/site/.vitepress/config.mjs', 'web/widget/build.mjs']
  const imported = builds.flatMap((path) =>
    [...read(path).matchAll(/from '[./]+\/(scripts\/.+)'/g)].map(([, name]) => name),
  )
  expect(imported.length).toBeGreaterThan(0)
  imported.push(...[...read('scripts/pack.mjs').matchAll(/from '\.\/(.+)'/g)].map(([, name]) => `scripts/${name}`))
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(imported.map((name) => `!${name}`)))
})

test('the counts of all tests use the first result of a suite that ran again, and count a suite that could not run as failed', async () => {
  const { createTestCounts } = (await import(join(scripts, 'test-run.mjs'))) as {
    createTestCounts(): {
      take(file: string): void
      line(): string
      races(): string[]
      slowest(count: number): string[]
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'parlance-counts-'))
  const report = join(folder, 'report.json')
  const suite = (name: string, status: string, ...tests: string[]) => ({
    name,
    status,
    startTime: 0,
    endTime: tests.length * 1000,
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
  expect(counts.slowest(2).map((line) => line.trim().split(/ +/)[0])).toEqual(['3', '2'])
  counts.take(report)
  expect(counts.line()).toBe('Tests: 3 failed, 1 skipped, 3 passed, 7 total')
  expect(counts.races()).toEqual(['b'])
  await rm(folder, { recursive: true })
})

describe('a run of tests', () => {
  type Ended = { code: number; signal: string | null }
  type Suites = Record<string, 'passed' | 'failed'>
  interface TestRun {
    runAlone(suites: string[]): Promise<Ended>
    runTogether(suites: string[], ...options: string[]): Promise<Ended>
    runGroups(groups: (() => Promise<Ended>)[]): Promise<number>
  }

  /** Runs one group, whose runs of jest end with these results. A run without results is stopped by a signal. */
  const runWith = async (...runs: (Suites | undefined)[]) => {
    const { createTestRun } = (await import(join(scripts, 'test-run.mjs'))) as {
      createTestRun(options: object): TestRun
    }
    const printed: string[] = []
    const calls: string[][] = []
    const runJest = async ([json, outputFile, ...args]: string[]): Promise<Ended> => {
      expect(json).toBe('--json')
      calls.push(args)
      const suites = runs[calls.length - 1]
      if (suites === undefined) return { code: 1, signal: 'SIGINT' }
      const testResults = Object.entries(suites).map(([name, status]) => ({
        ...{ name: join(process.cwd(), name), status, startTime: 0, endTime: 2_000 },
        assertionResults: [{ status }],
      }))
      await writeFile(outputFile!.replace('--outputFile=', ''), JSON.stringify({ testResults }))
      return { code: Object.values(suites).includes('failed') ? 1 : 0, signal: null }
    }
    const { runTogether, runGroups } = createTestRun({
      runJest,
      seed: '42',
      print: (line: string) => printed.push(line),
    })
    const exitCode = await runGroups([() => runTogether(['tests'], '--maxWorkers=2')])
    return { exitCode, calls, printed: printed.join('') }
  }

  test('passes when all suites pass, each run once', async () => {
    const { exitCode, calls, printed } = await runWith({ 'a.test.ts': 'passed' })
    expect([exitCode, calls]).toEqual([0, [['--maxWorkers=2', 'tests']]])
    expect(printed).toBe('\nThe slowest suites:\n     2 s  a.test.ts\nTests: 1 passed, 1 total')
  })

  test('fails when a suite passes only when it is repeated, and names the race and the seed', async () => {
    const { exitCode, calls, printed } = await runWith(
      { 'tests/a.test.ts': 'failed', 'b.test.ts': 'passed' },
      { 'tests/a.test.ts': 'passed' },
    )
    expect(exitCode).toBe(1)
    expect(calls[1]).toEqual(['--runInBand', '--forceExit', '--onlyFailures', 'tests'])
    expect(printed).toContain('\nrace in tests/a.test.ts: it failed and passed when repeated (FC_SEED=42)')
    expect(printed).toMatch(/Tests: 1 failed, 1 passed, 2 total$/)
  })

  test('fails without a race when a suite fails twice', async () => {
    const { exitCode, printed } = await runWith({ 'a.test.ts': 'failed' }, { 'a.test.ts': 'failed' })
    expect(exitCode).toBe(1)
    expect(printed).not.toContain('race in')
  })

  test('that is interrupted repeats nothing, and fails', async () => {
    const { exitCode, calls } = await runWith(undefined)
    expect([exitCode, calls.length]).toEqual([1, 1])
  })
})
