import { copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ToneModelOptions, writeToneModel } from '@parlance/testing'
import { readModelFolder, readModelsFolder, type SpeechModel } from '../src/index.js'

let home: string
let count = 0

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-models-'))
})
afterAll(() => rm(home, { recursive: true }))

const newModel = async (options: ToneModelOptions = {}, name = 'tones') => {
  const path = join(home, String(++count), name)
  await writeToneModel(path, options)
  return path
}

const good = async (path: string): Promise<SpeechModel> => {
  const reading = await readModelFolder(path)
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  return reading.model
}

const problemsOf = async (path: string): Promise<readonly string[]> => {
  const reading = await readModelFolder(path)
  return 'problems' in reading ? reading.problems : []
}

const writeEspeakData = async (path: string) => {
  await mkdir(join(path, 'espeak-ng-data'))
  for (const file of ['phontab', 'phonindex', 'phondata', 'intonations']) {
    await writeFile(join(path, 'espeak-ng-data', file), 'data')
  }
}

describe('a folder with a model', () => {
  test('is told by its own metadata, without loading it', async () => {
    const path = await newModel({ speakers: 3, sampleRateHz: 22_050 }, 'vits-vctk')
    expect(await good(path)).toMatchObject({
      name: 'vits-vctk',
      displayName: 'Vctk',
      kind: 'vits',
      sampleRateHz: 22_050,
      speakerCount: 3,
      languages: ['en'],
      speaksLexiconOnly: true,
      files: { model: join(path, 'model.onnx'), lexicons: [join(path, 'lexicon.txt')], rules: [] },
      speakers: [
        { id: 0, displayName: 'Vctk 1' },
        { id: 1, displayName: 'Vctk 2' },
        { id: 2, displayName: 'Vctk 3' },
      ],
    })
  })

  test('of Piper takes its language from its name and its speakers from its settings', async () => {
    const path = await newModel(
      { speakers: 2, metadata: { comment: 'piper', has_espeak: 1, voice: 'en-us' } },
      'vits-piper-de_DE-thorsten-low',
    )
    await writeEspeakData(path)
    await unlink(join(path, 'lexicon.txt'))
    await writeFile(
      join(path, 'model.onnx.json'),
      JSON.stringify({ dataset: 'thorsten', speaker_id_map: { amused: 1, angry: 0 }, audio: { sample_rate: 16_000 } }),
    )
    expect(await good(path)).toMatchObject({
      displayName: 'Thorsten',
      languages: ['de-DE', 'de'],
      speaksLexiconOnly: false,
      files: { espeakData: join(path, 'espeak-ng-data'), lexicons: [] },
      speakers: [{ displayName: 'Thorsten angry' }, { displayName: 'Thorsten amused' }],
    })
  })

  test('of Kokoro offers the speakers it can make phonemes for, by name, language and gender', async () => {
    const metadata = {
      model_type: 'kokoro',
      version: 2,
      has_espeak: 1,
      style_dim: '5,1,4',
      speaker_names: 'af_bella,bm_george,ff_siwis,zf_xiaobei',
    }
    const path = await newModel({ speakers: 4, sampleRateHz: 24_000, metadata }, 'kokoro-multi-lang-v1_0')
    await writeEspeakData(path)
    await writeFile(join(path, 'voices.bin'), Buffer.alloc(5 * 4 * 4 * 4))
    for (const name of ['lexicon-us-en.txt', 'lexicon-gb-en.txt', 'lexicon-zh.txt']) {
      await copyFile(join(path, 'lexicon.txt'), join(path, name))
    }
    await unlink(join(path, 'lexicon.txt'))
    for (const name of ['number-zh.fst', 'phone-zh.fst', 'date-zh.fst']) await writeFile(join(path, name), 'rules')

    const model = await good(path)
    expect(model).toMatchObject({
      kind: 'kokoro',
      speakerCount: 4,
      speakers: [
        { id: 0, displayName: 'Bella', gender: 'female', languages: ['en-US', 'en'] },
        { id: 1, displayName: 'George', gender: 'male', languages: ['en-GB', 'en'] },
        { id: 3, displayName: 'Xiaobei', gender: 'female', languages: ['zh'] },
      ],
    })
    expect(model.files.rules.map((path) => path.split('/').at(-1))).toEqual([
      'phone-zh.fst',
      'date-zh.fst',
      'number-zh.fst',
    ])
    expect(model.files.lexicons.map((path) => path.split('/').at(-1))).toEqual(['lexicon-us-en.txt', 'lexicon-zh.txt'])
  })

  test('of Matcha comes with a vocoder', async () => {
    const path = await newModel(
      { metadata: { model_type: 'matcha-tts', jieba: 1, language: 'Chinese' } },
      'matcha-icefall-zh-baker',
    )
    expect(await problemsOf(path)).toEqual(['vocoder.onnx is missing'])
    await copyFile(join(path, 'model.onnx'), join(path, 'vocos-22khz-univ.onnx'))
    expect(await good(path)).toMatchObject({
      kind: 'matcha',
      languages: ['zh'],
      files: { model: join(path, 'model.onnx'), vocoder: join(path, 'vocos-22khz-univ.onnx') },
    })
  })

  test('is what its parlance.json says it is', async () => {
    const path = await newModel({ speakers: 3 })
    await writeFile(
      join(path, 'parlance.json'),
      JSON.stringify({
        display_name: 'House voices',
        languages: ['sv-SE'],
        license: 'CC BY 4.0',
        credit_per_1k_characters: '0.2',
        speakers: [{ id: 2, display_name: 'Astrid', gender: 'female', description: 'Calm.', tags: ['calm'] }],
      }),
    )
    expect(await good(path)).toMatchObject({
      displayName: 'House voices',
      license: 'CC BY 4.0',
      creditPer1kCharacters: '0.2',
      speakerCount: 3,
      speakers: [
        { id: 2, displayName: 'Astrid', gender: 'female', languages: ['sv-SE'], description: 'Calm.', tags: ['calm'] },
      ],
    })
  })

  test('may be described as in the documentation', async () => {
    const docs = await readFile(new URL('../../../docs/speech-models.md', import.meta.url), 'utf8')
    const example = /```json\n(\{\n.*?)```/s.exec(docs)![1]!
    const path = await newModel({ speakers: 8 })
    await rename(join(path, 'model.onnx'), join(path, 'model.int8.onnx'))
    await writeFile(join(path, 'parlance.json'), example)
    expect(await good(path)).toMatchObject({ displayName: 'House voices', speakers: [{ id: 7, displayName: 'Emma' }] })
  })

  test('takes the bigger of a model and its quantised copy', async () => {
    const path = await newModel()
    await copyFile(join(path, 'model.onnx'), join(path, 'model.int8.onnx'))
    expect((await good(path)).files.model).toBe(join(path, 'model.onnx'))
  })
})

describe('a folder is refused, and why is said,', () => {
  const webPage = '<!DOCTYPE html><html><body>Not Found</body></html>'
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 63201294\n'

  test.each<[string, string, (path: string) => Promise<void>, string[]]>([
    ['a missing model', 'model.onnx', unlink, ['model.onnx is missing, and there is no other .onnx file']],
    ['missing tokens', 'tokens.txt', unlink, ['tokens.txt is missing']],
    ['a missing lexicon', 'lexicon.txt', unlink, ['lexicon.txt is missing']],
    ['an empty model', 'model.onnx', (path) => truncate(path), ['model.onnx is empty']],
    ['empty tokens', 'tokens.txt', (path) => truncate(path), ['tokens.txt is empty']],
    ['an empty lexicon', 'lexicon.txt', (path) => truncate(path), ['lexicon.txt is empty']],
    [
      'a model that is a web page',
      'model.onnx',
      (path) => writeFile(path, webPage),
      ['model.onnx is a web page and not the file itself: download it again'],
    ],
    [
      'a model that is a Git LFS pointer',
      'model.onnx',
      (path) => writeFile(path, pointer),
      ['model.onnx is a Git LFS pointer and not the file itself: run `git lfs pull`'],
    ],
    [
      'tokens that are a web page',
      'tokens.txt',
      (path) => writeFile(path, webPage),
      ['tokens.txt is a web page and not the file itself: download it again'],
    ],
    [
      'a model that is something else',
      'model.onnx',
      (path) => writeFile(path, Buffer.from('PK\u0003\u0004 an archive')),
      ['model.onnx is not an ONNX model'],
    ],
    [
      'tokens that do not parse',
      'tokens.txt',
      (path) => writeFile(path, '_ 0\nhello world\n'),
      ['tokens.txt line 2 is not a symbol and a number'],
    ],
    [
      'tokens that are huge',
      'tokens.txt',
      (path) => truncate(path, 2 ** 30),
      ['tokens.txt is not text: it has 1073741824 bytes'],
    ],
    [
      'tokens that are no text',
      'tokens.txt',
      (path) => writeFile(path, Buffer.from([0xff, 0xfe, 0x00])),
      ['tokens.txt is not text in UTF-8'],
    ],
    [
      'the lexicon of another model',
      'lexicon.txt',
      (path) => writeFile(path, 'hello h ə l oʊ\nworld w ɜː l d\n'),
      ['lexicon.txt is of another model: its phonemes are not in tokens.txt'],
    ],
  ])('for %s', async (_what, file, spoil, problems) => {
    const path = await newModel()
    await spoil(join(path, file))
    expect(await problemsOf(path)).toEqual(problems)
  })

  test('for a model cut off at any byte', async () => {
    const path = await newModel()
    const model = join(path, 'model.onnx')
    const whole = await readFile(model)
    for (let length = 1; length < whole.length; length += 13) {
      await writeFile(model, whole.subarray(0, length))
      expect(await problemsOf(path)).toEqual([expect.stringMatching(/^model\.onnx (is |was not made for sherpa-onnx)/)])
    }
  })

  test('for metadata that the native library would end the process for', async () => {
    const without = (metadata: ToneModelOptions['metadata']) => newModel({ metadata: metadata! })
    expect(await problemsOf(await without({ sample_rate: undefined, comment: undefined }))).toEqual([
      'model.onnx was not made for sherpa-onnx: its metadata lacks sample_rate, comment',
    ])
    expect(await problemsOf(await without({ sample_rate: 96_000 }))).toEqual([
      'model.onnx has a sample rate of 96000 Hz: 8,000 to 48,000 can be used',
    ])
    expect(await problemsOf(await without({ model_type: 'whisper-tiny' }))).toEqual([
      'model.onnx is a model of type "whisper-tiny": Kokoro, Matcha and VITS models can be spoken with',
    ])
    expect(await problemsOf(await without({ language: 'Klingonese' }))).toEqual([
      'The folder does not tell its language: name it as "languages" in parlance.json',
    ])
  })

  test("for Kokoro's voices cut off", async () => {
    const metadata = { model_type: 'kokoro', has_espeak: 1, style_dim: '5,1,4' }
    const path = await newModel({ speakers: 2, metadata })
    await writeEspeakData(path)
    await writeFile(join(path, 'voices.bin'), Buffer.alloc(100))
    expect(await problemsOf(path)).toEqual([
      'voices.bin is cut off or of another model: it has 100 bytes and should have 160',
    ])
  })

  test('for all that is wrong at once', async () => {
    const path = await newModel({ metadata: { comment: 'piper', has_espeak: 1 } })
    await unlink(join(path, 'lexicon.txt'))
    await unlink(join(path, 'tokens.txt'))
    await writeFile(join(path, 'parlance.json'), '{"speeker": 1}')
    expect(await problemsOf(path)).toEqual([
      expect.stringMatching(/^parlance\.json is not right: .*speeker/),
      'tokens.txt is missing',
      'phontab is missing',
      'phonindex is missing',
      'phondata is missing',
      'intonations is missing',
    ])
  })

  test('for a parlance.json that names what is not there', async () => {
    const path = await newModel({ speakers: 2 })
    await writeFile(join(path, 'parlance.json'), '{"speakers": [{"id": 2}]}')
    expect(await problemsOf(path)).toEqual(['parlance.json names a speaker 2, and the model has 2, from 0'])
    await writeFile(join(path, 'parlance.json'), '{"model": "../../etc/passwd"}')
    expect(await problemsOf(path)).toContain(
      'parlance.json is not right at model: must be the name of a file in the folder',
    )
    await writeFile(join(path, 'parlance.json'), '{"model": ')
    expect(await problemsOf(path)).toContain('parlance.json is not JSON')
  })

  test('for two models in one', async () => {
    const path = await newModel()
    await copyFile(join(path, 'model.onnx'), join(path, 'amy.onnx'))
    expect(await problemsOf(path)).toEqual([
      'amy.onnx is one of several models (amy.onnx, model.onnx): name one as "model" in parlance.json',
    ])
    await writeFile(join(path, 'parlance.json'), '{"model": "amy.onnx"}')
    expect((await good(path)).files.model).toBe(join(path, 'amy.onnx'))
  })
})

describe('a models folder', () => {
  test('is read folder by folder, the good and the bad; files and hidden folders are passed over', async () => {
    const dir = await mkdtemp(join(home, 'dir-'))
    await writeToneModel(join(dir, 'b-good'))
    await mkdir(join(dir, 'a-bad'))
    await mkdir(join(dir, '..data'))
    await writeFile(join(dir, 'README.md'), 'Models.')
    expect((await readModelsFolder(dir)).map(({ name, reading }) => [name, Object.keys(reading)])).toEqual([
      ['a-bad', ['problems']],
      ['b-good', ['model']],
    ])
  })

  test('with two folders that would have one name refuses the second', async () => {
    const dir = await mkdtemp(join(home, 'dir-'))
    await writeToneModel(join(dir, 'Amy_low'))
    await writeToneModel(join(dir, 'amy-low'))
    const [first, second] = await readModelsFolder(dir)
    expect(first?.reading).toHaveProperty('model')
    expect(second?.reading).toEqual({
      problems: ['The name is too much like that of the folder Amy_low: give it another'],
    })
  })

  test('with a link that leads nowhere in a folder refuses that one', async () => {
    const dir = await mkdtemp(join(home, 'dir-'))
    await writeToneModel(join(dir, 'good'))
    await writeToneModel(join(dir, 'loose'))
    await unlink(join(dir, 'loose', 'tokens.txt'))
    await symlink(join(dir, 'nowhere'), join(dir, 'loose', 'tokens.txt'))
    await symlink(join(dir, 'nowhere'), join(dir, 'gone'))
    expect((await readModelsFolder(dir)).map(({ reading }) => reading)).toEqual([
      { model: expect.anything() },
      { problems: ['tokens.txt is missing'] },
    ])
  })

  test('that is not there is an error', async () => {
    await expect(readModelsFolder(join(home, 'nowhere'))).rejects.toThrow('ENOENT')
  })
})
