// `npm run test:firefox`: runs the suites of what integrators put on their pages in Firefox. Arguments go to vitest.
import { runChild } from './child.mjs'

const suites = ['tests/client.test.ts', 'tests/client-packages.test.ts', 'web/avatar/test/avatar.test.ts']

/** The commands that are needed, with the packages of Debian. */
const packages = { 'firefox-esr || command -v firefox': 'firefox-esr', 'xvfb-run': 'xvfb', xauth: 'xauth' }

const findMissing = async () => {
  const codes = Object.keys(packages).map((command) => runChild('sh', ['-c', `command -v ${command}`]))
  const missing = await Promise.all(codes)
  return Object.values(packages).filter((_, index) => missing[index].code !== 0)
}

const missing = await findMissing()
if (missing.length > 0) {
  console.error(
    `npm run test:firefox needs ${missing.join(', ')} on this machine (Debian: apt-get install ${missing.join(' ')})`,
  )
  process.exit(1)
}
// Firefox draws in three dimensions only on a display.
const { code } = await runChild(
  'xvfb-run',
  [
    '--auto-servernum',
    process.execPath,
    'scripts/test.mjs',
    '--no-file-parallelism',
    ...suites,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, TEST_BROWSER: 'firefox' } },
)
process.exitCode = code
