import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeToneTurnModel } from '@parlance/testing'
import { readFolder, readModelsFolder } from '../../src/index.js'
import { InstallError, importModels, readInstallRecord } from '../../src/install/index.js'
import { readOnnxMetadata } from '../../src/onnx/onnx-metadata.js'
import { filesBelow, writeTar, writeZip } from '../archives.js'
import { modelCard, writePiperOriginal } from './piper-original.js'

let home: string
let source: string
let modelsDir: string
let espeakData: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-import-'))
  source = join(home, 'downloads')
  modelsDir = join(home, 'models')
  espeakData = join(home, 'espeak')
  await mkdir(espeakData)
  for (const file of ['phontab', 'phonindex', 'phondata', 'intonations']) await writeFile(join(espeakData, file), 'x')
})
afterEach(() => rm(home, { recursive: true }))

const options = () => ({ modelsDir, espeakData })
const refusal = async (path: string, given: object = options()): Promise<InstallError> => {
  const error = await importModels(path, given as { modelsDir: string }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(InstallError)
  return error as InstallError
}

describe('an original Piper model', () => {
  test('becomes a folder that can be spoken with, with the license of its model card', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    const imported = await importModels(join(source, 'en_US-joe-medium.onnx'), options())
    expect(imported).toEqual([{ name: 'en_US-joe-medium', folder: join(modelsDir, 'en_US-joe-medium') }])

    const [found] = await readModelsFolder(modelsDir)
    expect(found).toMatchObject({
      name: 'en_US-joe-medium',
      purpose: 'speech',
      reading: {
        model: { kind: 'vits', displayName: 'Joe', sampleRateHz: 16_000, languages: ['en-US', 'en'], license: 'CC0' },
      },
    })
  })

  test('gets the metadata that sherpa-onnx reads, and its weights stay as they are', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    await importModels(source, options())
    const original = await readFile(join(source, 'en_US-joe-medium.onnx'))
    const converted = join(modelsDir, 'en_US-joe-medium/en_US-joe-medium.onnx')
    expect((await readFile(converted)).subarray(0, original.length).equals(original)).toBe(true)
    expect(await readOnnxMetadata(converted)).toEqual({
      model_type: 'vits',
      comment: 'piper',
      language: 'English',
      voice: 'en-us',
      has_espeak: '1',
      n_speakers: '1',
      sample_rate: '16000',
    })
  })

  test('gets the symbols of its settings, but for a line break', async () => {
    const config = { phoneme_id_map: { _: [0], ' ': [3], '\n': [9], ə: [4, 5] } }
    await writePiperOriginal(source, 'en_US-joe-medium', { config })
    await importModels(source, options())
    const tokens = await readFile(join(modelsDir, 'en_US-joe-medium/tokens.txt'), 'utf8')
    expect(tokens).toBe('_ 0\n  3\nə 4\n')
  })

  test('shares one copy of the data of eSpeak NG with the others, by a link that moves with the models folder', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    await writePiperOriginal(source, 'de_DE-thorsten-medium', { config: { language: { code: 'de_DE' } } })
    const imported = await importModels(source, options())
    expect(imported.map(({ name }) => name).sort()).toEqual(['de_DE-thorsten-medium', 'en_US-joe-medium'])
    for (const { folder } of imported) {
      expect(await readlink(join(folder, 'espeak-ng-data'))).toBe('../.espeak-ng-data')
      expect((await stat(join(folder, 'espeak-ng-data/phontab'))).isFile()).toBe(true)
    }
    await rm(espeakData, { recursive: true })
    await writePiperOriginal(join(home, 'more'), 'en_GB-alan-medium')
    await importModels(join(home, 'more'), { modelsDir })
    expect(await readdir(modelsDir)).toHaveLength(4)
  })

  test('of several in a folder has the license of the card that names it', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    await writePiperOriginal(source, 'en_US-amy-medium', { card: modelCard('amy', 'CC BY 4.0') })
    await importModels(source, options())
    const licenses = (await readModelsFolder(modelsDir)).map(
      ({ reading }) => 'model' in reading && reading.model.license,
    )
    expect(licenses).toEqual(['CC BY 4.0', 'Not stated by the model.'])
  })

  test('is converted in place when it is in the models folder itself', async () => {
    await writePiperOriginal(modelsDir, 'en_US-joe-medium')
    await writePiperOriginal(join(modelsDir, 'en_GB-alan-medium'), 'en_GB-alan-medium')
    await importModels(join(modelsDir, 'en_US-joe-medium.onnx'), options())
    await importModels(join(modelsDir, 'en_GB-alan-medium'), options())
    const found = await readModelsFolder(modelsDir)
    expect(found.map(({ name, reading }) => [name, Object.keys(reading)])).toEqual([
      ['en_GB-alan-medium', ['model']],
      ['en_US-joe-medium', ['model']],
    ])
  })

  test.each(['tar.gz', 'tar', 'zip', 'whl'])('in a .%s is unpacked first', async (ending) => {
    await writePiperOriginal(join(source, 'data'), 'en_US-joe-medium')
    const archive = join(home, `voice.${ending}`)
    await (/zip|whl/.test(ending) ? writeZip : writeTar)(archive, await filesBelow(source))
    await importModels(archive, options())
    expect(await readdir(modelsDir)).toEqual(expect.arrayContaining(['en_US-joe-medium', '.espeak-ng-data']))
    expect((await readdir(modelsDir)).length).toBe(2)
    expect((await readFolder(join(modelsDir, 'en_US-joe-medium'))).reading).toHaveProperty('model')
  })

  test('in a .tar.bz2 is unpacked first', async () => {
    await importModels(new URL('voice.tar.bz2', import.meta.url).pathname, options())
    expect((await readFolder(join(modelsDir, 'en_US-joe-medium'))).reading).toHaveProperty('model')
  })

  test('is recorded with the digests of its files', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    const [imported] = await importModels(source, options())
    const record = await readInstallRecord(imported!.folder)
    expect(record).toMatchObject({ catalogue_name: null, license: 'CC0', files: [] })
    expect(record!.content.map(({ path }) => path)).toEqual([
      'MODEL_CARD',
      'en_US-joe-medium.onnx',
      'en_US-joe-medium.onnx.json',
      'parlance.json',
      'tokens.txt',
    ])
  })
})

describe('a refusal', () => {
  test('lists everything that is missing, and how to fix it', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    await rm(join(source, 'en_US-joe-medium.onnx.json'))
    await writeFile(join(source, 'en_GB-alan-medium.onnx.json'), '{}')
    const { lines } = await refusal(source, { modelsDir, espeakData: join(home, 'nowhere') })
    expect(lines).toEqual([
      `${source} cannot be imported:`,
      '  en_US-joe-medium.onnx.json is missing beside en_US-joe-medium.onnx.',
      '  en_GB-alan-medium.onnx is missing beside en_GB-alan-medium.onnx.json.',
      `  espeak-ng-data is missing in ${join(home, 'nowhere')}.`,
      expect.stringContaining('published together'),
      expect.stringContaining('apt-get install espeak-ng-data'),
      `Then run \`parlance models import ${source}\` again.`,
    ])
    await expect(stat(modelsDir)).rejects.toThrow('ENOENT')
  })

  test('names the keys that are wrong in the settings', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium', { config: { num_speakers: 'one', audio: {} } })
    const { lines } = await refusal(source)
    expect(lines[1]).toMatch(/en_US-joe-medium\.onnx\.json .*audio\.sample_rate.*num_speakers/)
  })

  test('of a model without phonemes of eSpeak NG comes before anything is copied', async () => {
    await writePiperOriginal(source, 'zh_CN-chaowen-medium', { config: { phoneme_type: 'pinyin' } })
    expect((await refusal(source)).lines[1]).toMatch(/phonemes of type "pinyin"/)
    await expect(stat(modelsDir)).rejects.toThrow('ENOENT')
  })

  test('of a damaged model leaves no folder behind', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    const model = join(source, 'en_US-joe-medium.onnx')
    await writeFile(model, (await readFile(model)).subarray(0, 300))
    expect((await refusal(source)).lines[1]).toMatch(/cut off/)
  })

  test('of an installed model leaves that model unchanged', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    await importModels(source, options())
    const { failure, message } = await refusal(source)
    expect({ failure, message }).toEqual({
      failure: 'exists',
      message: `The model en_US-joe-medium is already in ${modelsDir}. Remove it with \`parlance models remove en_US-joe-medium\`.`,
    })
    expect(await readdir(modelsDir)).toHaveLength(2)
    await importModels(source, { ...options(), name: 'joe' })
    expect(await readdir(modelsDir)).toContain('joe')
  })

  test.each([
    ['nowhere', /no file or folder/],
    ['', /no \.onnx file/],
  ])('of a path with no model gives the reason: "%s"', async (path, expected) => {
    await mkdir(source)
    expect((await refusal(join(source, path))).message).toMatch(expected)
  })

  const elsewhere = join(tmpdir(), `parlance-escaped-${randomUUID()}`)
  test.each(['../escaped', elsewhere, 'data/../../escaped'])(
    'of an archive that holds %s leaves nothing outside of its folder',
    async (name) => {
      for (const [archive, write] of [
        [join(home, 'bad.tar'), writeTar],
        [join(home, 'bad.zip'), writeZip],
      ] as const) {
        await write(archive, { [name]: Buffer.from('x') })
        expect((await refusal(archive)).failure).toBe('bad_archive')
      }
      expect(await readdir(modelsDir)).toEqual([])
      expect((await readdir(home)).sort()).toEqual(['bad.tar', 'bad.zip', 'espeak', 'models'])
      await expect(stat(elsewhere)).rejects.toThrow('ENOENT')
    },
  )

  test('of an archive with a link names the link', async () => {
    const archive = join(home, 'bad.tar.gz')
    await writeTar(archive, {}, { link: '/etc' })
    expect((await refusal(archive)).message).toMatch(/link \(a symlink\)/)
  })

  test('of a damaged archive gives the reason', async () => {
    const archive = join(home, 'voice.tar.bz2')
    await writeFile(archive, 'no archive at all')
    expect(await refusal(archive)).toMatchObject({ failure: 'bad_archive' })
  })
})

test('a folder that has only the original files is refused with a list of what is missing, and the command that adds it', async () => {
  const folder = join(modelsDir, 'en_US-joe-medium')
  await writePiperOriginal(folder, 'en_US-joe-medium')
  expect((await readFolder(folder)).reading).toEqual({
    problems: [
      'en_US-joe-medium.onnx is an original Piper model, which lacks tokens.txt, espeak-ng-data, the metadata comment, ' +
        `language, voice, n_speakers, sample_rate: \`parlance models import ${folder}\` adds them`,
    ],
  })
  await importModels(folder, options())
  expect((await readFolder(folder)).reading).toHaveProperty('model')
})

test('a folder in the form of sherpa-onnx is copied unchanged', async () => {
  await writePiperOriginal(source, 'en_US-joe-medium')
  await importModels(source, options())
  const ready = join(home, 'vits-piper-en_US-joe-medium')
  await cp(join(modelsDir, 'en_US-joe-medium'), ready, { recursive: true, dereference: true })
  const imported = await importModels(ready, { modelsDir })
  expect(imported.map(({ name }) => name)).toEqual(['vits-piper-en_US-joe-medium'])
  expect((await readFolder(imported[0]!.folder)).reading).toHaveProperty('model')
})

describe('a model for the end of turns', () => {
  const file = () => join(source, 'my-turns.onnx')
  beforeEach(async () => {
    await writeToneTurnModel(join(home, 'tones'))
    await mkdir(source)
    await cp(join(home, 'tones/model.onnx'), file())
  })

  test('is known by its inputs and outputs, and becomes a folder of the kind turn', async () => {
    expect(await importModels(file(), { modelsDir })).toEqual([
      { name: 'my-turns', folder: join(modelsDir, 'my-turns') },
    ])
    const [found] = await readModelsFolder(modelsDir)
    expect(found).toMatchObject({
      name: 'my-turns',
      purpose: 'detection',
      reading: { model: { kind: 'turn', languages: [], license: 'Not stated by the model.' } },
    })
  })

  test('in an archive with other models is imported beside them', async () => {
    await writePiperOriginal(source, 'en_US-joe-medium')
    const archive = join(home, 'models.whl')
    await writeZip(archive, await filesBelow(source))
    await importModels(archive, options())
    const found = await readModelsFolder(modelsDir)
    expect(found.map(({ name, purpose }) => [name, purpose])).toEqual([
      ['en_US-joe-medium', 'speech'],
      ['my-turns', 'detection'],
    ])
  })

  test('that is damaged is refused like any model whose settings are missing', async () => {
    await writeFile(file(), (await readFile(file())).subarray(0, 100))
    expect((await refusal(file())).lines).toContain('  my-turns.onnx.json is missing beside my-turns.onnx.')
  })
})
