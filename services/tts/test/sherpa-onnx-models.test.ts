import { mkdir, mkdtemp, readFile, unlink, writeFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { integratedLoudness } from '@parlance/audio'
import { tryModel } from '@parlance/engine-sherpa-onnx'
import { readLexicon, writeModelSpeed } from '@parlance/models'
import { writeToneRecognizer } from '@parlance/testing'
import { processesFor } from '../src/engine/sherpa-onnx-engine.js'
import { isRunning } from './engine-scene.js'
import {
  audioOf,
  codeOf,
  healthy,
  hear,
  newModelsDir,
  open,
  saying,
  speech,
  useModelsHome,
} from './sherpa-onnx-scene.js'

const home = useModelsHome()

describe('a model that cannot speak at all', () => {
  it('is loaded once, and never offered', async () => {
    const dir = await newModelsDir({ a: {}, b: {} })
    const tokens = join(dir, 'a', 'tokens.txt')
    await writeFile(tokens, (await readFile(tokens, 'utf8')).replace(/^UW \d+$/m, 'UW 500'))
    const { engines, logged } = await open(dir)
    await healthy(engines[1]!)
    expect(engines[0]!.healthy()).toBe(false)
    expect(logged('A speech model cannot be loaded')).toMatchObject([
      { folder: 'a', err: { message: 'the model failed during synthesis' } },
    ])
  })
})

describe('a models folder', () => {
  it('is known at once; its models are loaded one after the other, which the log shows', async () => {
    const dir = await newModelsDir({ one: {}, two: { sampleRateHz: 22_050 }, 'vits-piper-three_low': {} })
    const { engines, logged } = await open(dir)
    expect(engines.map(({ name }) => name)).toEqual(['local-one', 'local-two', 'local-vits-piper-three-low'])
    expect(engines.map((engine) => engine.healthy())).toEqual([false, false, false])
    expect(engines.map(({ sampleRateHz }) => sampleRateHz)).toEqual([16_000, 22_050, 16_000])
    expect(await codeOf(hear(engines[2]!, 'Hello.'))).toBe('upstream_error')

    await healthy(engines[2]!)
    expect(engines.map((engine) => engine.healthy())).toEqual([true, true, true])
    const which = ['one', 'two', 'vits-piper-three_low'].map((folder, index) => ({
      folder,
      position: index + 1,
      count: 3,
    }))
    expect(logged('A speech model is being loaded')).toMatchObject(which)
    const loaded = which.map((one) => ({ ...one, bytes: expect.any(Number), durationMs: expect.any(Number) }))
    expect(logged('A speech model has been loaded')).toMatchObject(loaded)
  })

  it('has voices of -20 LUFS, by gains that are measured when a model is tried out', async () => {
    const dir = await newModelsDir({ tones: { speakers: 2, phonemeMs: 100 } })
    const folder = join(dir, 'tones')
    const file = join(folder, '.parlance-gains.json')
    await tryModel(folder, { threads: 1, timeoutMs: 60_000 })
    const gains: Record<string, number> = JSON.parse(await readFile(file, 'utf8'))
    expect(Object.keys(gains)).toEqual(['0', '1'])

    const words = [...(await readLexicon([join(folder, 'lexicon.txt')])).keys()].slice(0, 12)
    const loudnessOf = async (speaker: number) => {
      const engine = await healthy((await open(dir)).engines[0]!)
      const samples = await audioOf(speech(engine, saying(engine, `${words.join(' ')}.`, { speaker })))
      return integratedLoudness(Int16Array.from(samples), engine.sampleRateHz)
    }
    for (const speaker of [0, 1]) expect(Math.abs((await loudnessOf(speaker)) + 20)).toBeLessThan(1)
    // What was measured is not measured again.
    await writeFile(file, JSON.stringify({ ...gains, 1: gains[1]! - 6 }))
    expect(Math.abs((await loudnessOf(1)) + 26)).toBeLessThan(1)
  })

  it('with measured models runs each with its best number of threads, and marks the slow ones', async () => {
    const dir = await newModelsDir({ quick: {}, slow: {}, unknown: {} })
    const speed = { threads: 2, cores: 2, measured_at: '2026-01-31T09:30:00.000Z' }
    await writeModelSpeed(join(dir, 'quick'), { ...speed, times_real_time: 8.25 })
    await writeModelSpeed(join(dir, 'slow'), { ...speed, threads: 1, times_real_time: 0.4 })
    await writeFile(join(dir, 'unknown', '.parlance-speed.json'), 'damaged')
    const { engines } = await open(dir, { threads: undefined })
    expect(engines.map(({ info }) => [info.threads, info.times_real_time, info.slow])).toEqual([
      ['2', '8.3', undefined],
      ['1', '0.4', 'true'],
      ['1', undefined, undefined],
    ])
    expect(engines.map(({ voices }) => voices[0]!.tags)).toEqual([[], ['slow'], []])
  })

  it('has as many processes of a model as this machine has cores and memory for, or as are configured', async () => {
    const dir = await newModelsDir({ tones: {} })
    const capacityOf = async (config: object) =>
      (await open(dir, { processes: undefined, ...config })).engines[0]!.capacity
    const machine = {
      cores: availableParallelism(),
      memoryBytes: Math.min(totalmem(), process.constrainedMemory() || totalmem()),
    }
    // The model of the test has some kilobytes.
    expect(await capacityOf({ threads: 1 })).toBe(processesFor({ sizeBytes: 0 }, 1, machine))
    expect(await capacityOf({ threads: 64 })).toBe(1)
    expect(await capacityOf({ threads: 1, processes: 3 })).toBe(3)
  })

  // A process of a model of 60 MB takes up to 640 MB, one of a model of 330 MB up to 1.7 GB.
  it.each([
    { cores: 1, gigabytes: 16, threads: 1, megabytes: 60, processes: 1, by: 'a single core' },
    { cores: 2, gigabytes: 8, threads: 1, megabytes: 60, processes: 2, by: 'two cores' },
    { cores: 2, gigabytes: 8, threads: 2, megabytes: 60, processes: 1, by: 'two threads each' },
    { cores: 8, gigabytes: 32, threads: 1, megabytes: 60, processes: 8, by: 'eight cores' },
    { cores: 8, gigabytes: 32, threads: 3, megabytes: 60, processes: 2, by: 'three threads each' },
    { cores: 8, gigabytes: 16, threads: 1, megabytes: 60, processes: 6, by: 'a quarter of the memory' },
    { cores: 8, gigabytes: 16, threads: 1, megabytes: 330, processes: 2, by: 'the size of the model' },
    { cores: 8, gigabytes: 2, threads: 1, megabytes: 60, processes: 1, by: 'a small container, which has one' },
    { cores: 64, gigabytes: 512, threads: 1, megabytes: 60, processes: 16, by: 'the maximum' },
  ])(
    'of $megabytes MB with $threads threads on $cores cores with $gigabytes GB has $processes processes, limited by $by',
    ({ cores, gigabytes, threads, megabytes, processes }) => {
      const machine = { cores, memoryBytes: gigabytes * 1e9 }
      expect(processesFor({ sizeBytes: megabytes * 1e6 }, threads, machine)).toBe(processes)
    },
  )

  it('with an invalid folder logs one line, and the others speak; recognition models are skipped', async () => {
    const dir = await newModelsDir({ good: {}, bad: {} })
    await writeToneRecognizer(join(dir, 'hears-en'))
    await unlink(join(dir, 'bad', 'tokens.txt'))
    await writeFile(join(dir, 'bad', 'model.onnx'), '<!DOCTYPE html><title>404</title>')
    const { engines, lines } = await open(dir)
    expect(engines.map(({ name }) => name)).toEqual(['local-good'])
    expect(lines.filter(({ level }) => level !== 'info')).toMatchObject([
      {
        level: 'error',
        msg: 'A model folder is refused',
        folder: 'bad',
        err: { message: 'tokens.txt is missing; model.onnx is a web page and not the file itself: download it again' },
      },
    ])
    expect((await hear(await healthy(engines[0]!), 'Hello.')).samples).toBeGreaterThan(0)
  })

  it('with a model whose loading ends the process leaves that one unhealthy, and the next is loaded', async () => {
    // The library exits for models of this kind that are too old.
    const dir = await newModelsDir({ a: { metadata: { comment: 'melo' } }, b: {} })
    const { engines, logged } = await open(dir)
    await healthy(engines[1]!)
    expect(engines[0]!.healthy()).toBe(false)
    expect(logged('A speech model cannot be loaded')).toMatchObject([{ folder: 'a', position: 1, count: 2 }])
    expect(await codeOf(hear(engines[0]!, 'Hello.'))).toBe('upstream_error')
  })

  it('that is empty is a warning, and one that is not there is an error of the configuration', async () => {
    const dir = await mkdtemp(join(home(), 'empty-'))
    await mkdir(join(dir, '.hidden'))
    const { engines, lines } = await open(dir)
    expect(engines).toEqual([])
    expect(lines).toMatchObject([{ level: 'warn', msg: 'There is no model in the models folder' }])
    await expect(open(join(home(), 'nowhere'))).rejects.toThrow(/^the models folder .*nowhere cannot be read$/)
  })

  it('can be closed while its models are being loaded, and leaves nothing running', async () => {
    const { engines, logged, lines } = await open(await newModelsDir({ one: {}, two: {} }))
    await Promise.all(engines.map((engine) => engine.close()))
    expect(logged('A speech model has been loaded')).toEqual([])
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    for (const { pid } of lines) if (pid !== undefined) expect(isRunning(pid)).toBe(false)
    expect(await codeOf(hear(engines[0]!, 'Hello.'))).toBe('draining')
  })
})
