import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOnnxRuntime } from '@parlance/engine/host'
import { readRecognitionFolder } from '@parlance/models'
import { spokenInTones, writeToneRecognizer } from '@parlance/testing'
import { withOnnxCopies } from '../src/onnx-copies.js'
import { openRecognizer } from '../src/recognizer.js'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-onnx-copies-'))
})
afterEach(() => rm(home, { recursive: true }))

/** A model whose two parts are in ONNX Runtime's format. */
const writeOrtModel = async () => {
  const folder = join(home, 'tones-en')
  await writeToneRecognizer(folder, { kind: 'merged-moonshine' })
  const { convert } = await loadOnnxRuntime(import.meta.resolve('sherpa-onnx-node/package.json'))
  for (const name of ['encoder_model', 'decoder_model_merged']) {
    convert(join(folder, `${name}.onnx`), join(folder, `${name}.ort`))
    await rm(join(folder, `${name}.onnx`))
  }
  const reading = await readRecognitionFolder(folder)
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  const { files } = reading.model
  if (files.kind !== 'moonshine') throw new Error(`the model is of the kind ${files.kind}`)
  return { model: reading.model, parts: files.parts }
}

test("a model in ONNX Runtime's format recognizes every word", async () => {
  const { model } = await writeOrtModel()
  const recognizer = await openRecognizer(model, 1)
  recognizer.begin({ language: 'en', acoustics: null })
  recognizer.accept(spokenInTones('please', 'tell', 'me', 'the', 'time'))
  recognizer.end()
  expect(recognizer.text()).toBe('please tell me the time')
})

test('it is opened from ONNX copies, which are deleted then, and a part that is an ONNX model from its own file', async () => {
  const { parts } = await writeOrtModel()
  const own = join(home, 'own.onnx')
  const opened = await withOnnxCopies({ ...parts, own }, (copies) => copies, home)
  expect(opened).toEqual({
    encoder: expect.stringMatching(/encoder_model\.onnx$/),
    mergedDecoder: expect.stringMatching(/decoder_model_merged\.onnx$/),
    own,
  })
  expect(await readdir(home)).toEqual(['tones-en'])
})

test('it is opened from its own files where copies cannot be made', async () => {
  const { parts } = await writeOrtModel()
  expect(await withOnnxCopies(parts, (opened) => opened, join(home, 'none'))).toEqual(parts)
  const damaged = { encoder: join(home, 'encoder_model.ort') }
  await writeFile(damaged.encoder, 'damaged')
  expect(await withOnnxCopies(damaged, (opened) => opened, home)).toEqual(damaged)
  expect(await readdir(home)).toEqual(['encoder_model.ort', 'tones-en'])
})
