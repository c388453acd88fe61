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

test('the counts of all tests use the first result of a suite that ran again, and count a suite that could not run as failed', async () => {
  const { createTestCounts } = (await import(join(scripts, 'test-counts.mjs'))) as {
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
