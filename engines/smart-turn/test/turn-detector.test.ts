import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineUnavailableError } from '@parlance/engine/host'
import { turnOfTones, writeToneTurnModel } from '@parlance/testing'
import { openTurnDetector } from '../src/index.js'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-smart-turn-'))
  await writeToneTurnModel(folder)
  file = join(folder, 'model.onnx')
})
afterAll(() => rm(folder, { recursive: true }))

test('distinguishes a turn that sounds complete from one that does not, on every call', async () => {
  const { hello, detect } = await openTurnDetector(file)
  expect(hello).toMatchObject({ engine: 'smart-turn', sampleRateHz: 16_000, maxAudioMs: 8000 })
  const complete = await detect(turnOfTones('complete'))
  expect(complete).toBeGreaterThan(0.9)
  expect(await detect(turnOfTones('incomplete'))).toBeLessThan(0.1)
  expect(await detect(turnOfTones('complete'))).toBe(complete)
})

test('only the end of longer audio counts', async () => {
  const { detect } = await openTurnDetector(file)
  const long = Int16Array.from([...turnOfTones('incomplete'), ...new Int16Array(160_000), ...turnOfTones('complete')])
  expect(await detect(long)).toBeGreaterThan(0.9)
})

test.each([
  ['is missing', async () => join(folder, 'none.onnx'), /none\.onnx cannot be read \(ENOENT\)/],
  [
    'is cut off',
    async (path: string) => {
      await writeFile(path, (await readFile(file)).subarray(0, 1000))
      return path
    },
    /is not Smart Turn v3/,
  ],
  [
    'is another model',
    async (path: string) => {
      const bytes = (await readFile(file)).toString('latin1').replaceAll('input_features', 'other_features')
      await writeFile(path, bytes, 'latin1')
      return path
    },
    /is not Smart Turn v3: .*input_features/,
  ],
])('a model that %s is refused with the reason', async (_, make, reason) => {
  const error = await openTurnDetector(await make(join(folder, 'wrong.onnx'))).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(EngineUnavailableError)
  expect((error as Error).message).toMatch(reason)
})
