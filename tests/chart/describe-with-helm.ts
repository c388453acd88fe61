import { type Helm, openHelms } from './helm.js'

/**
 * A `describe` whose tests run Helm. Where the npm registry does not answer, the suite reports that in one line and passes.
 * With `CI=true` it fails instead, so that a build cannot pass without these tests.
 */
export const describeWithHelm = async (name: string, suite: (helms: readonly Helm[]) => void): Promise<void> => {
  const helms = await openHelms().catch((error: Error) => error)
  if (!(helms instanceof Error)) {
    describe(name, () => suite(helms))
    return
  }
  const note = `needs Helm from the npm registry: ${helms.message}`
  if (process.env.CI === 'true') {
    test(name, () => {
      throw new Error(`"${name}" ${note}`)
    })
    return
  }
  process.stderr.write(`\nNOT RUN: "${name}" ${note}\n\n`)
  test(`${name}: skipped, ${note}`, () => {})
}
