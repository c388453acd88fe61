import { mkdir, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'npyjs'
import { readModelFolder } from '../../src/index.js'
import { InstallError, importModels } from '../../src/install/index.js'
import { readOnnxMetadata } from '../../src/onnx/onnx-metadata.js'
import { numpyArchive, styleOf, writeKokoroOriginal } from './kokoro-original.js'

let home: string
let source: string
let modelsDir: string
let espeakData: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-import-kokoro-'))
  source = join(home, 'downloads')
  modelsDir = join(home, 'models')
  espeakData = join(home, 'espeak')
  await mkdir(espeakData)
  for (const file of ['phontab', 'phonindex', 'phondata', 'intonations']) await writeFile(join(espeakData, file), 'x')
})
afterEach(() => rm(home, { recursive: true }))

const folder = () => join(modelsDir, 'kokoro-v1.0')
const runImport = () => importModels(source, { modelsDir, espeakData })
const refusal = async (): Promise<InstallError> => {
  const error = await runImport().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(InstallError)
  return error as InstallError
}

const speakers = ['af_bella', 'jf_alpha', 'jm_kumo', 'zf_xiaobei', 'zf_xiaoni', 'zm_yunjian']

test('an original Kokoro model speaks in the language of most of its speakers that can be read', async () => {
  await writeKokoroOriginal(source, speakers)
  expect(await runImport()).toEqual([{ name: 'kokoro-v1.0', folder: folder() }])
  expect(await readModelFolder(folder())).toMatchObject({
    model: {
      kind: 'kokoro',
      sampleRateHz: 24_000,
      speakerCount: 6,
      languages: ['ja'],
      license: 'Not stated by the model.',
      speakers: [
        { id: 1, displayName: 'Alpha', gender: 'female', languages: ['ja'] },
        { id: 2, displayName: 'Kumo', gender: 'male', languages: ['ja'] },
      ],
    },
  })
})

test('it gets the metadata, the symbols and the styles that sherpa-onnx reads, and its weights are unchanged', async () => {
  await writeKokoroOriginal(source, speakers)
  await runImport()
  const original = await readFile(join(source, 'kokoro-v1.0.onnx'))
  const converted = join(folder(), 'model.onnx')
  expect((await readFile(converted)).subarray(0, original.length).equals(original)).toBe(true)
  expect(await readOnnxMetadata(converted)).toEqual({
    model_type: 'kokoro',
    version: '1',
    language: 'Japanese',
    voice: 'ja',
    has_espeak: '1',
    sample_rate: '24000',
    n_speakers: '6',
    speaker_names: speakers.join(','),
    style_dim: '200,1,2',
  })
  const styles = await readFile(join(folder(), 'voices.bin'))
  expect(styles).toEqual(Buffer.concat(speakers.map((_, speaker) => Buffer.from(styleOf(speaker).buffer))))
  const { vocab } = JSON.parse(await readFile(join(source, 'config.json'), 'utf8'))
  const lines = (await readFile(join(folder(), 'tokens.txt'), 'utf8')).trimEnd().split('\n')
  expect(lines).toEqual(Object.entries(vocab).map(([symbol, id]) => `${symbol} ${id}`))
})

test('a parlance.json beside it names another language and the license', async () => {
  await writeKokoroOriginal(source, ['ff_siwis', 'jf_alpha', 'jm_kumo'])
  const speakers = [{ id: 0, display_name: 'Siwis', languages: ['fr'] }]
  const settings = { languages: ['fr'], license: 'Apache-2.0', model: 'kokoro-v1.0.onnx', speakers }
  await writeFile(join(source, 'parlance.json'), JSON.stringify(settings))
  await runImport()
  expect(await readOnnxMetadata(join(folder(), 'model.onnx'))).toMatchObject({ voice: 'fr', language: 'French' })
  expect(await readModelFolder(folder())).toMatchObject({
    model: { license: 'Apache-2.0', languages: ['fr'], speakers: [{ id: 0, displayName: 'Siwis' }] },
  })
})

test('of a model and its smaller copy the full one is imported, also from a folder with other files', async () => {
  await writeKokoroOriginal(source, speakers)
  await writeFile(join(source, 'kokoro-v1.0.int8.onnx'), 'a smaller copy')
  await writeFile(join(source, 'notes.txt'), 'notes')
  expect(await runImport()).toMatchObject([{ name: 'kokoro-v1.0' }])
})

test('all missing files are named at once, and nothing is written', async () => {
  await writeKokoroOriginal(source, speakers)
  await rename(join(source, 'voices-v1.0.bin'), join(home, 'elsewhere'))
  await unlink(join(source, 'config.json'))
  expect((await refusal()).lines).toEqual([
    `${source} cannot be imported:`,
    '  the styles of its speakers are missing beside kokoro-v1.0.onnx: voices-v1.0.bin.',
    '  the numbers of its phonemes are missing beside kokoro-v1.0.onnx: config.json.',
    expect.stringContaining('missing files'),
    expect.stringContaining('again'),
  ])
  await expect(readdir(modelsDir)).rejects.toThrow('ENOENT')
})

test.each<[string, () => Uint8Array | string, RegExp]>([
  ['no zip', () => 'styles', /^voices-v1\.0\.bin is not an archive of NumPy's arrays/],
  ['arrays of integers', () => numpyArchive({ jf_alpha: dump(new Int32Array(4), [4, 1, 1]) }), /32-bit floats/],
  ['an array cut off', () => numpyArchive({ jf_alpha: dump(new Float32Array(4), [9, 1, 1]) }), /cut off/],
  ['arrays of another shape', () => numpyArchive({ jf_alpha: dump(new Float32Array(4), [4]) }), /three dimensions/],
  [
    'speakers of unknown languages',
    () => numpyArchive({ someone: dump(new Float32Array(4), [4, 1, 1]) }),
    /no speaker whose language is known \(someone\)/,
  ],
])('styles with %s are refused with the reason', async (_what, styles, reason) => {
  await writeKokoroOriginal(source, speakers)
  await writeFile(join(source, 'voices-v1.0.bin'), styles())
  expect((await refusal()).lines?.[1]?.trim()).toMatch(reason)
})
