import { jest } from '@jest/globals'
import { describeWithPrograms } from '@parlance/testing'
import type { OpenEngines } from '../src/engine/engine.js'
import { openEspeakEngines } from '../src/engine/espeak-engine.js'
import { openFliteEngines } from '../src/engine/flite-engine.js'
import { describeEngine, type EngineUnderTest } from './engine-contract.js'
import { watchProcesses } from './engine-scene.js'

jest.setTimeout(60_000)

/** The first of the engines that a configuration describes, opened as the service opens it. */
const openFirst = async <Config>(open: OpenEngines<Config>, config: Config): Promise<EngineUnderTest> => {
  const { logger, pids, ready } = watchProcesses()
  const [engine] = await open('tested', config, { logger, readSecret: () => '', onReplace: () => undefined })
  if (engine === undefined) throw new Error('the configuration describes no engine')
  return { engine, pids, ready }
}

const espeak = (implementation: 'native' | 'wasm') => ({
  open: (processes: number) => openFirst(openEspeakEngines, { type: 'espeak-ng', implementation, processes }),
  voice: 'Ada',
})

describeEngine('eSpeak NG in WebAssembly', espeak('wasm'))

describeWithPrograms(['espeak-ng'], 'on this machine', () => describeEngine('native eSpeak NG', espeak('native')))

describeWithPrograms(['flite'], 'on this machine', () =>
  describeEngine('flite', {
    open: (processes) => openFirst(openFliteEngines, { type: 'flite', processes }),
    voice: 'Nell',
  }),
)
