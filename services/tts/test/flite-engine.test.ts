import { jest } from '@jest/globals'
import { describeWithPrograms } from '@parlance/testing'
import type { Engine } from '../src/engine/engine.js'
import { fliteEngineConfig, openFliteEngines } from '../src/engine/flite-engine.js'
import { begin, listen, longText, utterance, watchProcesses } from './engine-scene.js'

jest.setTimeout(60_000)

const open = async (config: object) => {
  const { logger, ...watched } = watchProcesses()
  const context = { logger, readSecret: () => '', onReplace: () => {} }
  const [engine] = await openFliteEngines('flite', fliteEngineConfig.parse({ type: 'flite', ...config }), context)
  return { engine, ...watched }
}

// What it promises as every engine does is in `engines.test.ts`.
describeWithPrograms(['flite'], 'the flite engine', () => {
  let engine: Engine
  let pids: () => number[]
  beforeAll(async () => {
    const opened = await open({ processes: 1 })
    engine = opened.engine
    pids = opened.pids
  })
  afterAll(() => engine.close())

  const speech = (text: string) => {
    const { signal } = new AbortController()
    return engine.speak(utterance(engine, text, 'Nell'), { signal })
  }

  it('says what it is', () => {
    expect(engine.name).toBe('flite')
    expect(engine.sampleRateHz).toBe(16_000)
    expect(engine.info).toEqual({ implementation: 'native', version: expect.any(String) })
  })

  it('stops when the loop is left, and its process goes on to the next', async () => {
    const before = pids().length
    const speaking = await begin(speech(longText))
    await speaking.return?.()
    expect((await listen(engine, speech('Next.'))).words).toHaveLength(1)
    expect(pids()).toHaveLength(before)
  })
})

describe('without flite', () => {
  it('is not opened, and says what to install', async () => {
    const opening = open({ processes: 2, folder: '/nowhere' })
    await expect(opening).rejects.toThrow(/^there is no flite to load \(Debian: apt-get install libflite1\)$/)
  })
})
