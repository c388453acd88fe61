import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/**
 * The results of a run of jest for each suite. A suite that could not run has failed. A suite that failed, ran again and
 * passed counts as its first run and has a race.
 */
export const createTestCounts = () => {
  const suites = new Map()
  const races = []

  return {
    /**
     * Takes the file that `jest --json --outputFile` wrote, and removes it. Without one jest itself failed, which counts
     * too.
     */
    take(file) {
      if (!existsSync(file)) return void suites.set('jest', { passed: 0, failed: 1, skipped: 0, seconds: 0 })
      for (const suite of JSON.parse(readFileSync(file, 'utf8')).testResults) {
        const { name, status, assertionResults } = suite
        const passed = assertionResults.filter((test) => test.status === 'passed').length
        const failed = assertionResults.filter((test) => test.status === 'failed').length
        const skipped = assertionResults.length - passed - failed
        if (status === 'passed' && suites.get(name)?.failed > 0) races.push(name)
        else {
          suites.set(name, {
            passed,
            failed: status === 'failed' && failed === 0 ? 1 : failed,
            skipped,
            seconds: (suite.endTime - suite.startTime) / 1000,
          })
        }
      }
      rmSync(file)
    },

    /** The paths of suites that failed and passed when they were repeated. */
    races: () => races,

    /** The suites that took the longest, a line each. */
    slowest: (count) =>
      [...suites]
        .sort(([, one], [, other]) => other.seconds - one.seconds)
        .slice(0, count)
        .map(([path, { seconds }]) => `${seconds.toFixed(0).padStart(6)} s  ${relative(process.cwd(), path)}`),

    /** In the form of jest, such as `Tests: 1 failed, 12 skipped, 6350 passed, 6363 total`. */
    line() {
      const sum = (outcome) => [...suites.values()].reduce((total, suite) => total + suite[outcome], 0)
      const counts = ['failed', 'skipped', 'passed'].map((outcome) => [sum(outcome), outcome])
      const total = counts.reduce((all, [count]) => all + count, 0)
      return `Tests: ${[...counts.filter(([count]) => count > 0), [total, 'total']].map((one) => one.join(' ')).join(', ')}`
    },
  }
}

/**
 * Runs of jest that are counted together. `runJest` takes arguments of jest and resolves to `{ code, signal }` of its process;
 * `print` takes lines.
 */
export const createTestRun = ({ runJest, seed, print = console.log }) => {
  const counts = createTestCounts()
  const report = join(tmpdir(), `parlance-tests-${process.pid}.json`)
  const runCounted = async (args) => {
    const ended = await runJest(['--json', `--outputFile=${report}`, ...args])
    counts.take(report)
    return ended
  }

  /** Exits after the last suite, as workers do. Otherwise a timer of a library would keep the process alive. */
  const runAlone = (suites) => runCounted(['--runInBand', '--forceExit', ...suites])

  return {
    runAlone,

    /** Suites that failed are repeated once, one at a time: a suite that then passes has a race, which also fails the run. */
    async runTogether(suites, ...options) {
      const ended = await runCounted([...options, ...suites])
      if (ended.signal !== null || ended.code === 0) return ended
      print('\nThe suites that failed are repeated one at a time. A suite that passes now has a race.\n')
      const { signal } = await runAlone(['--onlyFailures', ...suites])
      return { code: ended.code, signal }
    },

    /** Runs the groups in turn, prints their races and counts, and resolves to the exit code of all. */
    async runGroups(groups) {
      let exitCode = 0
      for (const run of groups) {
        const { code, signal } = await run()
        exitCode ||= code
        if (signal !== null) break
      }
      for (const path of counts.races()) {
        print(`\nrace in ${relative(process.cwd(), path)}: it failed and passed when repeated (FC_SEED=${seed})`)
      }
      print(`\nThe slowest suites:\n${counts.slowest(20).join('\n')}`)
      print(`\n${counts.line()}`)
      return exitCode
    },
  }
}
