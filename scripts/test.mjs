// `npm test` and `npm run test:all`: install and build when something has changed, then run jest with the arguments given, or all
// suites of the command. After all suites the last line has the counts of all tests.
import { refuseOldNode } from './node-version.mjs'

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']

/**
 * `npm test` leaves these out, and `npm run test:all` runs them: all suites in `tests` except those in `tests/repository`, and slow
 * suites beside the sources, most of which run engines of speech.
 */
const onlyInAll = [
  '<rootDir>/tests/(?!repository/)',
  'engines/[a-z-]+/test/(implementations|model-trial|recognizer|recorded-speed|synthesizer|voices).test.ts',
  'services/sessions/test/(instances|media/recognition-under-loss|transcription/audio-reader).test.ts',
  'services/sessions/test/stt/(pocketsphinx-recognizer|recognizer-processes|sherpa-onnx-recognizers).test.ts',
  'services/tokens/test/credit/(chaos|histories).test.ts',
  'services/tts/test/(engine-processes|engines|installed-models|sherpa-onnx-engine|sherpa-onnx-models).test.ts',
  'services/tts/test/remote/memory.test.ts',
]

/**
 * Suites that need the whole machine. On a busy one audio that is played and recorded in real time stutters, requests are refused,
 * and a worker that gets no processor for a second and a half counts as lost.
 */
const alone = [
  'tests/talk.test.ts',
  'tests/talk-page.test.ts',
  'tests/client.test.ts',
  'tests/dashboard-talk.test.ts',
  'tests/spoken-session.test.ts',
  'tests/bursts.test.ts',
  'tests/first-burst.test.ts',
  'tests/resumed-speech.test.ts',
]
const exceptFor = (suites) => ['--testPathIgnorePatterns', '/node_modules/', ...suites]
/**
 * Node 20 keeps modules of suites that have ended (nodejs/node#59118), and a worker gets slower by them: a suite that takes
 * 5 s in a new worker took 75 s in one that had run 200. A worker with more than this is replaced by a new one.
 */
const maxWorkerHeap = '500MB'

refuseOldNode()
// Imported only now, because an old Node could not parse them.
const imports = Promise.all([import('./ensure-ready.mjs'), import('./child.mjs'), import('./test-run.mjs')])
imports.then(async ([{ ensureReady }, { runChild }, { createTestRun }]) => {
  if (!(await ensureReady())) process.exit(1)
  // One seed for all suites, also when it is drawn, so that it can be printed.
  const { testSeed } = await import('../libs/testing/dist/test-seed.js')
  const seed = String(testSeed())
  process.env.FC_SEED = seed
  const runJest = (args) => runChild(process.execPath, [...jest, ...args], { stdio: 'inherit' })
  const { runAlone, runTogether, runGroups } = createTestRun({ runJest, seed })
  const runExceptFor = (suites) => runTogether(exceptFor(suites), `--workerIdleMemoryLimit=${maxWorkerHeap}`)
  const groupsOfAll = [() => runAlone(alone), () => runExceptFor(alone)]

  const given = process.argv.slice(2)
  if (given[0] === '--all') process.exitCode = await runGroups(groupsOfAll)
  else if (given.length > 0) process.exitCode = (await runJest(given)).code
  else process.exitCode = await runGroups([() => runExceptFor(onlyInAll)])
})
