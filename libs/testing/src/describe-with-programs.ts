import { availablePrograms, type ProgramName } from './installed-programs.js'

const debianPackages: Record<ProgramName, string> = {
  nats: 'nats-server',
  redis: 'redis-server',
  postgres: 'postgresql',
  ffmpeg: 'ffmpeg',
  chromium: 'chromium',
  'espeak-ng': 'libespeak-ng1 espeak-ng-data',
  flite: 'libflite1',
  pocketsphinx: 'libpocketsphinx3 pocketsphinx-en-us',
}

/**
 * A `describe` whose tests need programs from outside, such as real servers. Where one is not installed the suite reports that
 * in one line and passes, so that a laptop can run the rest; under `CI=true` it fails, so that no build is green for want
 * of a program.
 */
export const describeWithPrograms = (needed: readonly ProgramName[], name: string, suite: () => void): void => {
  const available = availablePrograms()
  const missing = needed.filter((program) => !available.has(program)).map((program) => debianPackages[program])
  if (missing.length === 0) {
    describe(name, suite)
    return
  }
  const note = `needs ${missing.join(', ')} on this machine (Debian: apt-get install ${missing.join(' ')})`
  if (process.env.CI === 'true') {
    test(name, () => {
      throw new Error(`"${name}" ${note}; with CI=true nothing may be left out.`)
    })
    return
  }
  process.stderr.write(`not run: "${name}" ${note}\n`)
  test(`${name}: not run here, ${note}`, () => {})
}
