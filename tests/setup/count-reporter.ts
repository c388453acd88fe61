import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Ends the output with the counts of all tests, such as `Tests: 1 failed, 12 skipped, 6350 passed, 6363 total`. A suite that could
 * not run, and an error outside all tests, count as a failed test.
 */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const states = modules.flatMap((module) => [
      ...[...module.children.allTests()].map((test) => test.result().state),
      ...module.errors().map(() => 'failed'),
    ])
    states.push(...errors.map(() => 'failed'))
    const counts = ['failed', 'skipped', 'passed']
      .map((state) => [states.filter((one) => one === state).length, state] as const)
      .filter(([count]) => count > 0)
    console.log(`\nTests: ${[...counts, [states.length, 'total']].map((count) => count.join(' ')).join(', ')}`)
  }
}
