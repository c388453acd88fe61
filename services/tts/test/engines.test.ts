import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithPrograms, findEspeakData, writeToneModel } from '@parlance/testing'
import type { SpeechStandIn } from '@parlance/testing/stand-ins'
import type { OpenEngines } from '../src/engine/engine.js'
import { openEspeakEngines } from '../src/engine/espeak-engine.js'
import { openFliteEngines } from '../src/engine/flite-engine.js'
import { openSherpaOnnxEngines, sherpaOnnxEngineConfig } from '../src/engine/sherpa-onnx-engine.js'
import { describeEngine, type EngineUnderTest } from './engine-contract.js'
import { watchProcesses } from './engine-scene.js'
import { type Kind, kinds, logOf } from './remote/remote-scene.js'

/** The first of the engines that a configuration describes, opened as the service opens it. */
const openFirst = async <Config>(open: OpenEngines<Config>, config: Config): Promise<EngineUnderTest> => {
  const { logger, pids, ready } = watchProcesses()
  const [engine] = await open('tested', config, { logger, readSecret: () => '', onReplace: () => undefined })
  if (engine === undefined) throw new Error('the configuration describes no engine')
  const changes = new EventTarget()
  const stopListening = engine.onHealthChange(() => changes.dispatchEvent(new Event('change')))
  while (!engine.healthy()) await once(changes, 'change')
  stopListening()
  return { engine, pids, ready }
}

const espeak = (implementation: 'native' | 'wasm') => ({
  open: (processes: number) => openFirst(openEspeakEngines, { type: 'espeak-ng', implementation, processes }),
  voice: 'Ada',
})

describeEngine('eSpeak NG in WebAssembly', espeak('wasm'))

describeWithPrograms(['espeak-ng'], 'on this machine', () =>
  describeEngine('native eSpeak NG', { ...espeak('native'), sharesWork: true }),
)

describeWithPrograms(['flite'], 'on this machine', () =>
  describeEngine('flite', {
    open: (processes) => openFirst(openFliteEngines, { type: 'flite', processes }),
    voice: 'Nell',
    sharesWork: true,
  }),
)

/** A model that makes a tone for each phoneme of eSpeak NG. Its library cannot be stopped within a clause. */
describeWithPrograms(['espeak-ng'], 'whose data a model reads with', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-models-'))
    await writeToneModel(join(folder, 'tones'), { shape: 'piper', speakers: 2, espeakData: findEspeakData()!, work: 0 })
  })
  afterAll(() => rm(folder, { recursive: true }))

  describeEngine('a model of sherpa-onnx', {
    open: (processes) => {
      const config = { type: 'sherpa-onnx', models_dir: folder, threads: 1, processes }
      return openFirst(openSherpaOnnxEngines, sherpaOnnxEngineConfig.parse(config))
    },
    voice: 'Tones 1',
    hasPhonemes: false,
    sharesWork: true,
  })
})

const voiceOf: Record<Kind['type'], string> = { openai: 'af_heart', elevenlabs: 'Rachel', cartesia: 'Voice 0' }

describe.each(kinds)('a server that speaks as $type', ({ type, start, open }) => {
  let standIn: SpeechStandIn
  beforeAll(async () => {
    standIn = await start({ maxCharacters: 10_000 })
  })
  afterAll(() => standIn.close())

  describeEngine(type, {
    open: async (concurrency) => ({ engine: await open(standIn.url, logOf(), { concurrency }) }),
    voice: voiceOf[type],
    hasPhonemes: type === 'cartesia',
    // Their work is tested in remote/remote-engines.test.ts, in which servers see more of it.
    sharesWork: true,
  })
})
