import { copyFile, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { good, problemsOf, useModels, writeEspeakData } from './model-scene.js'

const { newModel } = useModels()

describe('a folder with a model', () => {
  test('is recognized by its metadata, without loading it', async () => {
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

  test('of Kokoro offers the speakers for which it can make phonemes, by name, language and gender', async () => {
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

  test('of the catalog has the gender of its speakers, also in a folder of another name', async () => {
    const gendersIn = async (name: string, file: string, speakers: string[]) => {
      const path = await newModel({ speakers: speakers.length }, name)
      await rename(join(path, 'model.onnx'), join(path, `${file}.onnx`))
      await writeFile(join(path, 'parlance.json'), JSON.stringify({ languages: ['en'] }))
      const speakerIds = Object.fromEntries(speakers.map((speaker, id) => [speaker, id]))
      await writeFile(join(path, `${file}.onnx.json`), JSON.stringify({ speaker_id_map: speakerIds }))
      return (await good(path)).speakers.map(({ gender }) => gender)
    }
    expect(await gendersIn('en_US-joe-medium', 'model', ['joe'])).toEqual(['male'])
    expect(await gendersIn('vits-piper-en_US-amy-low', 'en_US-amy-low', ['amy'])).toEqual(['female'])
    expect(await gendersIn('fr_FR-upmc-medium', 'model', ['jessica', 'pierre', 'x'])).toEqual([
      'female',
      'male',
      'neutral',
    ])
    expect(await gendersIn('mine', 'model', ['me'])).toEqual(['neutral'])
  })

  test('has the properties of its parlance.json', async () => {
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

  test('uses the larger of a model and its quantized copy', async () => {
    const path = await newModel()
    await copyFile(join(path, 'model.onnx'), join(path, 'model.int8.onnx'))
    expect((await good(path)).files.model).toBe(join(path, 'model.onnx'))
  })
})
