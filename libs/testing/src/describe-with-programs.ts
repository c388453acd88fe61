import { availablePrograms, type ProgramName } from './installed-programs.js'

const debianPackages: Record<ProgramName, string> = {
  nats: 'nats-server',
  redis: 'redis-server',
  postgres: 'postgresql',
  ffmpeg: 'ffmpeg',
  chromium: 'chromium',
  firefox: 'firefox-esr',
  'espeak-ng': 'libespeak-ng1 espeak-ng-data',
  flite: 'libflite1',
  pocketsphinx: 'libpocketsphinx3 pocketsphinx-en-us',
  prometheus: 'prometheus',
}

/**
 * A `describe` whose tests need external programs, such as real servers. When one is not installed, the suite reports that in
 * one line and passes. With `CI=true` it fails instead, so that a build cannot pass without these tests.
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
      throw new Error(`"${name}" ${note}; with CI=true no suite may be skipped.`)
    })
    return
  }
  process.stderr.write(`not run: "${name}" ${note}\n`)
  test(`${name}: skipped, ${note}`, () => {})
}
