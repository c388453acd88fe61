import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeToneTurnModel } from '@parlance/testing'
import { tryTurnModel } from '../src/index.js'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-turn-trial-'))
  await writeToneTurnModel(folder)
  file = join(folder, 'model.onnx')
})
afterEach(() => rm(folder, { recursive: true }))

const limits = { timeoutMs: 60_000 }

test('a turn detection model is loaded and run, and the report has its times', async () => {
  expect(await tryTurnModel(file, limits)).toEqual({
    loadMs: expect.any(Number),
    detectMs: expect.any(Number),
    audioMs: 8000,
    memoryMegabytes: expect.any(Number),
  })
})

test('a model that is cut off is refused with the reason', async () => {
  await truncate(file, 1000)
  expect(await tryTurnModel(file, limits)).toEqual({
    problems: [expect.stringMatching(/model\.onnx is not Smart Turn v3: ./)],
  })
})

test('a trial that takes too long is stopped with its process', async () => {
  expect(await tryTurnModel(file, { timeoutMs: 1 })).toEqual({
    problems: ['The model did not finish within 0.001 s'],
  })
})
