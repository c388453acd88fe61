import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'

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
