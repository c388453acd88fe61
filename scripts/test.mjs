// `npm test`: installs and builds when something has changed, then runs jest with the arguments given.
import { refuseOldNode } from './node-version.mjs'

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']

refuseOldNode()
// Imported only now: an old Node could not even read them.
Promise.all([import('./ensure-ready.mjs'), import('./child.mjs')]).then(async ([{ ensureReady }, { runChild }]) => {
  if (!(await ensureReady())) process.exit(1)
  const { code } = await runChild(process.execPath, [...jest, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = code
})
