import { jest } from '@jest/globals'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms } from '@parlance/testing'
import type { Engine } from '../src/engine/engine.js'
import { fliteEngineConfig, openFliteEngines } from '../src/engine/flite-engine.js'
import { readEnginesConfig } from '../src/engines-config.js'
import { openEngines } from '../src/open-engines.js'

jest.setTimeout(60_000)

const open = async (config: object): Promise<Engine> => {
  const context = { logger: createLogger({ level: 'silent' }), readSecret: () => '', onReplace: () => {} }
  const [engine] = await openFliteEngines('flite', fliteEngineConfig.parse({ type: 'flite', ...config }), context)
  return engine
}

describeWithPrograms(['flite'], 'the flite engine', () => {
  it('says what it is', async () => {
    const engine = await open({ processes: 1 })
    expect(engine.name).toBe('flite')
    expect(engine.sampleRateHz).toBe(16_000)
    expect(engine.info).toEqual({ implementation: 'native', version: expect.any(String) })
    await engine.close()
  })
})

describeWithPrograms(['flite'], 'a worker without an engines file that uses what is installed', () => {
  it('has the voices of flite beside its own', async () => {
    const config = await readEnginesConfig(undefined, { espeakProcesses: 1, cacheMegabytes: 0, installedEngines: true })
    const context = { logger: createLogger({ level: 'silent' }), readSecret: () => '', onReplace: () => {} }
    const engines = await openEngines(config, context)
    expect(engines.map(({ name }) => name)).toEqual(['espeak-ng', 'flite'])
    expect(engines[1]!.voices.length).toBeGreaterThanOrEqual(4)
    await Promise.all(engines.map((engine) => engine.close()))
  })
})

describe('without flite', () => {
  it('is not opened, and says what to install', async () => {
    const opening = open({ processes: 2, folder: '/nowhere' })
    await expect(opening).rejects.toThrow(
      /^there is no flite to load: libflite\S+ is not found or does not load \(Debian: apt-get install libflite1\)$/,
    )
  })
})
