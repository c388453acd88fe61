import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readModelSpeed, writeModelSpeed } from '@parlance/models'
import { writeToneModel, writeToneRecognizer } from '@parlance/testing'
import { measureAndRecord, measureModel, measureSpeechModel, prefersTwoThreads } from '../src/index.js'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-speed-'))
})
afterAll(() => rm(home, { recursive: true }))

const options = { timeoutMs: 60_000 }
const trialOf = (timesRealTime: number) => ({
  loadMs: 1,
  speakMs: 1000,
  audioMs: 1000 * timesRealTime,
  memoryMegabytes: 1,
})

test.each([
  ['is faster, and one is fast enough', 4, 7.2, false],
  ['helps a model that is slow with one', 1.2, 1.5, true],
  ['does not help a slow model', 0.5, 0.5, false],
])('two threads are chosen when that %s: %d and %d times real time', (_when, one, two, expected) => {
  expect(prefersTwoThreads(trialOf(one), trialOf(two))).toBe(expected)
})

test('a model that speaks has its speed and the best number of threads in its folder', async () => {
  const folder = join(home, 'quick')
  await writeToneModel(folder)
  await measureSpeechModel(folder, options)
  const speed = await readModelSpeed(folder)
  expect(speed).toMatchObject({ cores: availableParallelism(), measured_at: expect.stringMatching(/^20\d\d-/) })
  expect([1, 2]).toContain(speed!.threads)
  expect(speed!.times_real_time).toBeGreaterThan(2)
})

test('a model slower than real time is recorded as such, and recorded again only when that changes', async () => {
  const folder = join(home, 'slow')
  // Some hundred ms of work for 55 ms of speech.
  await writeToneModel(folder, { work: 10, phonemeMs: 1 })
  await writeModelSpeed(folder, { threads: 1, times_real_time: 9, cores: availableParallelism(), measured_at: '' })
  const { report } = await measureAndRecord(folder, options)
  expect(report).toMatchObject({ audioMs: 55 })
  const speed = await readModelSpeed(folder)
  expect(speed!.times_real_time).toBeLessThan(1)
  const before = await readFile(join(folder, '.parlance-speed.json'), 'utf8')
  await measureAndRecord(folder, options)
  const after = await readModelSpeed(folder)
  if (after!.threads === speed!.threads)
    expect(await readFile(join(folder, '.parlance-speed.json'), 'utf8')).toBe(before)
})

test('a requested number of threads is used and not recorded', async () => {
  const folder = join(home, 'asked')
  await writeToneModel(folder)
  expect(await measureModel(folder, { ...options, threads: 2 })).toMatchObject({ threads: 2 })
  expect(await readModelSpeed(folder)).toBeUndefined()
})

test('models that recognize speech, and those that cannot be used, have no speed', async () => {
  const recognizer = join(home, 'hears-en')
  await writeToneRecognizer(recognizer)
  await measureSpeechModel(recognizer, options)
  expect(await readModelSpeed(recognizer)).toBeUndefined()
  const broken = join(home, 'broken')
  await writeToneModel(broken, { metadata: { comment: 'melo' } })
  await measureSpeechModel(broken, options)
  expect(await readModelSpeed(broken)).toBeUndefined()
})
