// `npm test`: installs and builds when something has changed, then runs jest with the arguments given, or everything.
import { refuseOldNode } from './node-version.mjs'

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']

// These tests play and record audio in real time. On a busy machine the audio would stutter.
const byThemselves = [
  'tests/talk.test.ts',
  'tests/talk-page.test.ts',
  'tests/client.test.ts',
  'tests/spoken-session.test.ts',
]
const everything = [
  ['--testPathIgnorePatterns', '/node_modules/', ...byThemselves],
  ['--runInBand', ...byThemselves],
]

refuseOldNode()
// Imported only now: an old Node could not even read them.
Promise.all([import('./ensure-ready.mjs'), import('./child.mjs')]).then(async ([{ ensureReady }, { runChild }]) => {
  if (!(await ensureReady())) process.exit(1)
  const given = process.argv.slice(2)
  for (const args of given.length > 0 ? [given] : everything) {
    const { code } = await runChild(process.execPath, [...jest, ...args], { stdio: 'inherit' })
    process.exitCode = code
    if (code !== 0) break
  }
})
