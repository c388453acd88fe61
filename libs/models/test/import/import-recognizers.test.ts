import { mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toneRecognizerKinds, writeToneRecognizer } from '@parlance/testing'
import { readRecognitionFolder } from '../../src/index.js'
import { importModels } from '../../src/install/index.js'

let home: string
let modelsDir: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-import-recognizers-'))
  modelsDir = join(home, 'models')
})
afterEach(() => rm(home, { recursive: true }))

/** A length of one byte, or of two from 128 bytes on, and the symbol. */
const tokenizerOf = (symbols: readonly Buffer[]): Buffer =>
  Buffer.concat(
    symbols.flatMap((symbol) => [
      Buffer.from(symbol.length < 128 ? [symbol.length] : [(symbol.length % 128) + 128, symbol.length >> 7]),
      symbol,
    ]),
  )

/** A folder as Moonshine's publisher fills it. */
const writeOriginal = async (folder: string, symbols: readonly Buffer[]) => {
  await writeToneRecognizer(folder, { kind: 'merged-moonshine' })
  await unlink(join(folder, 'tokens.txt'))
  await writeFile(join(folder, 'tokenizer.bin'), tokenizerOf(symbols))
}

test.each(toneRecognizerKinds)('a folder with a model of the kind %s is imported as it is', async (kind) => {
  const name = `sherpa-onnx-${kind}-en`
  await writeToneRecognizer(join(home, 'downloads', name), { kind })
  expect(await importModels(join(home, 'downloads'), { modelsDir })).toEqual([{ name, folder: join(modelsDir, name) }])
  expect(await readRecognitionFolder(join(modelsDir, name))).toMatchObject({ model: { name } })
})

describe('an original Moonshine model', () => {
  const symbols = ['<unk>', '<s>', '</s>', '▁time', '\n', 'x'.repeat(300)].map((symbol) => Buffer.from(symbol))

  test('gets the tokens that sherpa-onnx reads, and a name that says what it is', async () => {
    await writeOriginal(join(home, 'package/models/base-en'), symbols)
    expect(await importModels(join(home, 'package'), { modelsDir })).toMatchObject([{ name: 'moonshine-base-en' }])
    const folder = join(modelsDir, 'moonshine-base-en')
    const lines = (await readFile(join(folder, 'tokens.txt'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => Buffer.from(line.split(' ')[0]!, 'base64'))).toEqual(symbols)
    expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual([0, 1, 2, 3, 4, 5])
    expect(await readRecognitionFolder(folder)).toMatchObject({
      model: { languages: ['en'], files: { kind: 'moonshine' } },
    })
  })

  test('is refused in the models folder, with the command that fixes it', async () => {
    const folder = join(modelsDir, 'base-en')
    await writeOriginal(folder, symbols)
    const problem = `tokens.txt is missing: \`parlance models import ${folder}\` makes it from tokenizer.bin`
    expect(await readRecognitionFolder(folder)).toEqual({ problems: [problem] })
    await rename(join(folder, 'encoder_model.onnx'), join(home, 'encoder'))
    expect(await readRecognitionFolder(folder)).toEqual({ problems: [problem, 'encoder_model.ort is missing'] })
  })

  test('whose tokenizer is cut off is refused, and nothing is written', async () => {
    const folder = join(home, 'base-en')
    await writeOriginal(folder, symbols)
    await writeFile(join(folder, 'tokenizer.bin'), tokenizerOf(symbols).subarray(0, -5))
    await expect(importModels(folder, { modelsDir })).rejects.toMatchObject({ message: 'tokenizer.bin is cut off.' })
    expect(await readdir(modelsDir)).toEqual([])
  })
})
