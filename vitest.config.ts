import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Suites that need the whole machine, one at a time. On a busy one audio that is played and recorded in real time stutters, requests
 * are refused, and a worker that gets no processor for a second and a half counts as lost.
 */
const alone = ['tests/{talk,talk-page,client,dashboard-talk,spoken-session,bursts,first-burst,resumed-speech}.test.ts']

/** Suites that take long, most of which run engines of speech, a browser or processes. `npm test` leaves them out. */
const long = [
  'tests/!(repository)/**/*.test.ts',
  'tests/*.test.ts',
  'engines/*/test/{implementations,model-trial,recognizer,recorded-speed,synthesizer,voices}.test.ts',
  'services/sessions/test/{instances,media/recognition-under-loss,transcription/audio-reader}.test.ts',
  'services/sessions/test/stt/{pocketsphinx-recognizer,recognizer-processes,sherpa-onnx-recognizers}.test.ts',
  'services/tokens/test/credit/{chaos,histories}.test.ts',
  'services/tts/test/{engine-processes,engines,installed-models,sherpa-onnx-engine,sherpa-onnx-models}.test.ts',
  'services/tts/test/remote/memory.test.ts',
]

// Most suites wait for servers of their own for much of their time.
const maxWorkers = Math.max(4, availableParallelism() - 1)

/** Tests run on the TypeScript sources; only processes that a test starts run from `dist/`. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@parlance\/service-([a-z-]+)$/, replacement: source('services/$1/src/index.ts') },
      { find: /^@parlance\/engine-([a-z-]+)$/, replacement: source('engines/$1/src/index.ts') },
      { find: /^@parlance\/cli$/, replacement: source('cli/src/index.ts') },
      { find: /^@parlance\/(client|react|avatar)$/, replacement: source('web/$1/src/index.ts') },
      { find: /^@parlance\/(client|react|avatar)\/([a-z-]+)$/, replacement: source('web/$1/src/$2.ts') },
      { find: /^@parlance\/server$/, replacement: source('sdks/node/src/index.ts') },
      { find: /^@parlance\/([a-z-]+)$/, replacement: source('libs/$1/src/index.ts') },
      { find: /^@parlance\/(?!engine-|service-)([a-z-]+)\/([a-z-]+)$/, replacement: source('libs/$1/src/$2/index.ts') },
    ],
  },
  test: {
    globals: true,
    // Suites of a worker share the modules that they import. To load them again for each suite would take longer than the tests.
    isolate: false,
    // Ends a test that hangs. A busy machine may need a multiple of what a test takes alone.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Tests wait by `setImmediate` for what happens between two timers.
    fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] },
    setupFiles: ['tests/setup/seeded-fast-check.ts'],
    disableConsoleIntercept: true,
    slowTestThreshold: 10_000,
    reporters: ['default', 'tests/setup/count-reporter.ts'],
    // In one group they run in the order of their names. The long suites are first, so that no worker is left alone with one at the end.
    projects: [
      { extends: true, test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: { name: 'long', include: long, exclude: alone, maxWorkers, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: {
          name: 'short',
          include: [
            '{libs,web,sdks,tools,engines,services}/*/test/**/*.test.ts',
            '{admin,cli}/test/**/*.test.ts',
            'tests/repository/**/*.test.ts',
          ],
          exclude: long,
          maxWorkers,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
