// `npm test` and `npm run test:all`: install and build when something has changed, then run vitest with the arguments given, or all
// suites of the command. The last line has the counts of all tests.
import { refuseOldNode } from './node-version.mjs'

refuseOldNode()
// Imported only now, because an old Node could not parse them.
const imports = Promise.all([import('./ensure-ready.mjs'), import('./child.mjs')])
imports.then(async ([{ ensureReady }, { runChild }]) => {
  if (!(await ensureReady())) process.exit(1)
  // One seed for all suites, also when it is drawn.
  const { testSeed } = await import('../libs/testing/dist/test-seed.js')
  process.env.FC_SEED = String(testSeed())

  const given = process.argv.slice(2)
  const suites = given.length === 0 ? ['--project', 'short'] : given.filter((argument) => argument !== '--all')
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...suites]
  const { code } = await runChild(process.execPath, vitest, { stdio: 'inherit' })
  process.exitCode = code
})
