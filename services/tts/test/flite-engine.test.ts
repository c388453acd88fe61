import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, findLibrary } from '@parlance/testing'
import type { Engine } from '../src/engine/engine.js'
import { fliteEngineConfig, openFliteEngines } from '../src/engine/flite-engine.js'
import { openEngines, readEnginesConfig } from '../src/engines-config.js'
import { hear } from './engine-scene.js'

const open = async (config: object, logger = createLogger({ level: 'silent' })): Promise<Engine> => {
  const context = { logger, readSecret: () => '', onReplace: () => {} }
  const [engine] = await openFliteEngines('flite', fliteEngineConfig.parse({ type: 'flite', ...config }), context)
  return engine
}

describeWithPrograms(['flite'], 'the flite engine', () => {
  it('describes itself', async () => {
    const engine = await open({ processes: 1 })
    expect(engine.name).toBe('flite')
    expect(engine.sampleRateHz).toBe(16_000)
    expect(engine.info).toEqual({ implementation: 'native', version: expect.any(String) })
    await engine.close()
  })
})

describeWithPrograms(['flite'], 'flite with two of its four voice libraries', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-flite-'))
    for (const part of ['', '_usenglish', '_cmulex', '_cmu_us_slt', '_cmu_us_kal16']) {
      const file = `libflite${part}.so.1`
      await symlink(findLibrary(file)!, join(folder, file))
    }
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('offers and speaks those two, and one line of the log names the others and their package', async () => {
    const lines: { level: string; msg: string; engine: string }[] = []
    const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
    const engine = await open({ processes: 2, folder }, createLogger({ name: 'test', destination }))
    expect(engine.voices.map(({ display_name }) => display_name)).toEqual(['Nell', 'Hal'])
    for (const name of ['Nell', 'Hal']) expect((await hear(engine, 'Hello.', name)).samples).toBeGreaterThan(0)
    const warnings = lines.filter(({ level }) => level === 'warn')
    expect(warnings).toMatchObject([{ engine: 'flite' }])
    expect(warnings[0]!.msg).toBe(
      'Some voices of flite are not offered: Rufus, Ewan. Missing or not loadable: libflite_cmu_us_rms.so.1, ' +
        'libflite_cmu_us_awb.so.1 (Debian: apt-get install libflite1)',
    )
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
  it('is not opened, and names the package to install', async () => {
    const opening = open({ processes: 2, folder: '/nowhere' })
    await expect(opening).rejects.toThrow(
      /^flite is not installed: libflite\S+ is missing or cannot be loaded \(Debian: apt-get install libflite1\)$/,
    )
  })
})
