import { mkdtemp, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ToneModelOptions, type ToneRecognizerKind, writeToneModel, writeToneRecognizer } from '@parlance/testing'
import { type TrialReport, tryModel } from '../src/index.js'

let home: string
let count = 0
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-trial-'))
})
afterAll(() => rm(home, { recursive: true }))

const newModel = async (options: ToneModelOptions = {}) => {
  const path = join(home, `tones-${++count}`)
  await writeToneModel(path, options)
  return path
}

const trial = (path: string, timeoutMs = 60_000) => tryModel(path, { threads: 1, timeoutMs })
const problemsOf = (report: TrialReport) => ('problems' in report ? report.problems : [])

/** The same number of bytes, so that only the meaning changes. */
const replaceInModel = async (path: string, from: string, to: string) => {
  const file = join(path, 'model.onnx')
  const content = await readFile(file, 'latin1')
  expect(content).toContain(from)
  await writeFile(file, content.replaceAll(from, to), 'latin1')
}

/** Numbers of symbols for which the model has no tones. */
const highTokens = async (path: string) => {
  const file = join(path, 'tokens.txt')
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^(\w+) /gm, '$1 50'))
}

describe('a model that is tried out', () => {
  test('is loaded and speaks, and the report has its times', async () => {
    // Twelve words of its lexicon with 41 phonemes, a pause after each word, and two more pauses at the end.
    expect(await trial(await newModel({ phonemeMs: 100 }))).toEqual({
      loadMs: expect.any(Number),
      speakMs: expect.any(Number),
      audioMs: 5500,
      memoryMegabytes: expect.any(Number),
    })
  })

  test.each<[string, (path: string) => Promise<void>, RegExp]>([
    ['a model cut off', (path) => truncate(join(path, 'model.onnx'), 500), /^model\.onnx is cut off/],
    ['no tokens', (path) => unlink(join(path, 'tokens.txt')), /^tokens\.txt is missing$/],
    ['an unknown operator', (path) => replaceInModel(path, 'Gather', 'Lather'), /cannot be loaded: .*Lather/],
    ['tokens beyond its own', (path) => highTokens(path), /^The model failed during synthesis: .*out of data bounds/],
    ['no audio', (path) => replaceInModel(path, 'Mul', 'Sub'), /^The model returned no audio for "hello world/],
    ['no sound', (path) => replaceInModel(path, 'Sin', 'Not'), /^The model/],
  ])('with %s is refused, in any case of the library’s failure', async (_what, spoil, expected) => {
    const path = await newModel()
    await spoil(path)
    const problems = problemsOf(await trial(path))
    expect(problems).toEqual([expect.stringMatching(expected)])
    expect(problems[0]).toMatch(/^[^\n\x1b]{10,400}$/)
  })

  test('whose loading ends the process is reported with the last error', async () => {
    const path = await newModel({ metadata: { comment: 'melo' } })
    expect(problemsOf(await trial(path))).toEqual([
      expect.stringMatching(/^The model ended its process \(exit code 255\): Please download the latest MeloTTS model/),
    ])
  })

  test('that takes too long is stopped with its process', async () => {
    expect(await trial(await newModel({ work: 5000 }), 1500)).toEqual({
      problems: ['The model did not finish within 1.5 s'],
    })
  })
})

describe('a model for recognition that is tried out', () => {
  const newRecognizer = async (kind: ToneRecognizerKind, metadata = {}) => {
    const path = join(home, `recognizer-en-${++count}`)
    await writeToneRecognizer(path, { kind, metadata })
    return path
  }

  test.each<ToneRecognizerKind>(['streaming', 'sense-voice'])('is loaded and recognizes (%s)', async (kind) => {
    expect(await trial(await newRecognizer(kind))).toEqual({
      loadMs: expect.any(Number),
      recognitionMs: expect.any(Number),
      audioMs: 3000,
      memoryMegabytes: expect.any(Number),
    })
  })

  test('that ends its process is reported with the last error', async () => {
    const path = await newRecognizer('streaming', { encoder_dims: undefined })
    expect(problemsOf(await trial(path))).toEqual([
      expect.stringMatching(/^The model ended its process \(exit code 255\): .*encoder_dims/),
    ])
  })
})
