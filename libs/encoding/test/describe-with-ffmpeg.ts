import { spawnSync } from 'node:child_process'

/**
 * A `describe` whose tests decode with ffmpeg. Where it is not installed the suite says so in one line and passes;
 * under `CI=true` it fails.
 */
export const describeWithFfmpeg = (name: string, suite: () => void): void => {
  if (spawnSync('ffmpeg', ['-version']).status === 0) {
    describe(name, suite)
    return
  }
  const note = 'needs ffmpeg on this machine (Debian: apt-get install ffmpeg)'
  if (process.env.CI === 'true') {
    test(name, () => {
      throw new Error(`"${name}" ${note}; with CI=true nothing may be left out.`)
    })
    return
  }
  process.stderr.write(`not run: "${name}" ${note}\n`)
  test(`${name}: not run here, ${note}`, () => {})
}
