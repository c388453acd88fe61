// `npm test`: installs and builds when something has changed, then runs jest with the arguments given, or everything. After
// everything the last line has the counts of all tests.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.mjs'

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']

// These tests play and record audio in real time, or need what a machine can do at once. On a busy machine the audio would
// stutter, and requests would be refused.
const byThemselves = [
  'tests/talk.test.ts',
  'tests/talk-page.test.ts',
  'tests/client.test.ts',
  'tests/spoken-session.test.ts',
  'tests/first-turn.test.ts',
  'tests/bursts.test.ts',
  'tests/first-burst.test.ts',
]
const notByThemselves = ['--testPathIgnorePatterns', '/node_modules/', ...byThemselves]
/**
 * Node 20 keeps modules of suites that have ended (nodejs/node#59118), and a worker gets slower by them: a suite that takes 5 s in
 * a new worker took 75 s in one that had run 200. A worker with more than this is replaced by a new one.
 */
const maxWorkerHeap = '500MB'
const together = [...notByThemselves, `--workerIdleMemoryLimit=${maxWorkerHeap}`]
const failedTogether = [...notByThemselves, '--onlyFailures', '--runInBand']
const alone = ['--runInBand', ...byThemselves]

refuseOldNode()
// Imported only now: an old Node could not even read them.
const imports = Promise.all([import('./ensure-ready.mjs'), import('./child.mjs'), import('./test-counts.mjs')])
imports.then(async ([{ ensureReady }, { runChild }, { createTestCounts }]) => {
  if (!(await ensureReady())) process.exit(1)
  const runJest = (args) => runChild(process.execPath, [...jest, ...args], { stdio: 'inherit' })

  const counts = createTestCounts()
  const report = join(tmpdir(), `parlance-tests-${process.pid}.json`)
  const runCounted = async (args) => {
    const ended = await runJest(['--json', `--outputFile=${report}`, ...args])
    counts.take(report)
    return ended
  }

  /** Suites that failed are repeated once, one at a time: what fails then is wrong, and not only slow beside the others. */
  const runSuites = async () => {
    const { code, signal } = await runCounted(together)
    if (signal !== null) return { code }
    if (code !== 0) {
      console.error(
        '\nThe suites that failed are repeated one at a time. A suite that passes now has a race: fix it.\n',
      )
      const repeated = await runCounted(failedTogether)
      if (repeated.code !== 0) return repeated
    }
    return runCounted(alone)
  }

  const runEverything = async () => {
    const ended = await runSuites()
    console.log(`\n${counts.line()}`)
    return ended
  }

  const given = process.argv.slice(2)
  const { code } = given.length > 0 ? await runJest(given) : await runEverything()
  process.exitCode = code
})
