import { mkdtemp, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ToneRecognizerKind,
  type ToneRecognizerOptions,
  writeToneModel,
  writeToneRecognizer,
} from '@parlance/testing'
import { type RecognitionModel, readFolder, readModelsFolder, readRecognitionFolder } from '../src/index.js'

let home: string
let count = 0
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-hearing-'))
})
afterAll(() => rm(home, { recursive: true }))

const newModel = async (options: ToneRecognizerOptions = {}, name = 'streaming-zipformer-en-2023-06-26') => {
  const path = join(home, String(++count), name)
  await writeToneRecognizer(path, options)
  return path
}

const good = async (path: string): Promise<RecognitionModel> => {
  const reading = await readRecognitionFolder(path)
  if ('problems' in reading) throw new Error(reading.problems.join('\n'))
  return reading.model
}

const problemsOf = async (path: string): Promise<readonly string[]> => {
  const reading = await readRecognitionFolder(path)
  return 'problems' in reading ? reading.problems : []
}

describe('a folder with a model for recognition', () => {
  test('is recognized by its files and their metadata, without loading it', async () => {
    const path = await newModel()
    expect(await good(path)).toMatchObject({
      name: 'streaming-zipformer-en-2023-06-26',
      files: {
        kind: 'streaming-transducer',
        encoder: join(path, 'encoder.onnx'),
        decoder: join(path, 'decoder.onnx'),
        joiner: join(path, 'joiner.onnx'),
      },
      tokens: join(path, 'tokens.txt'),
      languages: ['en'],
      chunkMs: 160,
      writesCapitals: false,
    })
    const senseVoice = await newModel({ kind: 'sense-voice' }, 'sense-voice')
    expect(await good(senseVoice)).toMatchObject({
      files: { kind: 'sense-voice', model: join(senseVoice, 'model.onnx') },
      languages: ['en', 'ja', 'ko', 'yue', 'zh'],
      chunkMs: 0,
    })
  })

  test.each<[ToneRecognizerKind, string, object]>([
    [
      'nemo-transducer',
      'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8',
      {
        languages: ['en'],
        quality: 80,
        files: { kind: 'nemo-transducer', joiner: expect.stringMatching(/joiner\.onnx$/) },
      },
    ],
    [
      'paraformer',
      'sherpa-onnx-paraformer-zh-2024-03-09',
      { languages: ['zh'], quality: 60, files: { kind: 'paraformer' } },
    ],
    [
      'whisper',
      'sherpa-onnx-whisper-tiny',
      {
        languages: ['en', 'de'],
        quality: 40,
        tokens: expect.stringMatching(/tiny-tokens\.txt$/),
        writesCapitals: false,
        files: { kind: 'whisper', decoder: expect.stringMatching(/tiny-decoder\.onnx$/) },
      },
    ],
    [
      'moonshine',
      'sherpa-onnx-moonshine-tiny-en-int8',
      { languages: ['en'], files: { parts: { cachedDecoder: expect.stringMatching(/[/]cached_decode\.onnx$/) } } },
    ],
    [
      'merged-moonshine',
      'sherpa-onnx-moonshine-base-ko-quantized-2026-02-27',
      { languages: ['ko'], quality: 55, files: { kind: 'moonshine', parts: { mergedDecoder: expect.any(String) } } },
    ],
  ])('may be of the kind %s', async (kind, name, expected) => {
    expect(await good(await newModel({ kind }, name))).toMatchObject({ name, chunkMs: 0, ...expected })
  })

  test('may state how well it recognizes', async () => {
    const path = await newModel()
    expect((await good(path)).quality).toBe(50)
    await writeFile(join(path, 'parlance.json'), '{"quality": 72}')
    expect((await good(path)).quality).toBe(72)
    await writeFile(join(path, 'parlance.json'), '{"quality": 101}')
    expect(await problemsOf(path)).toEqual([expect.stringMatching(/^parlance\.json is invalid at quality/)])
  })

  test.each<[ToneRecognizerKind, string[], string[]]>([
    ['whisper', ['tiny-decoder.onnx', 'tiny-tokens.txt'], ['tokens.txt is missing', 'decoder.onnx is missing']],
    ['whisper', ['tiny-encoder.onnx'], ['encoder.onnx is missing']],
    ['paraformer', ['tokens.txt'], ['tokens.txt is missing']],
    [
      'moonshine',
      ['tokens.txt', 'encode.onnx', 'cached_decode.onnx', 'preprocess.onnx'],
      [
        'tokens.txt is missing',
        'preprocess.onnx is missing',
        'encode.onnx is missing',
        'cached_decode.onnx is missing',
      ],
    ],
    ['merged-moonshine', ['encoder_model.onnx'], ['encoder_model.ort is missing']],
    ['nemo-transducer', ['decoder.onnx', 'joiner.onnx'], ['decoder.onnx is missing', 'joiner.onnx is missing']],
  ])('of the kind %s without %j is refused with all that is missing', async (kind, missing, expected) => {
    const path = await newModel({ kind })
    for (const name of missing) await unlink(join(path, name))
    expect(await problemsOf(path)).toEqual(expected)
  })

  test.each<[ToneRecognizerKind, ToneRecognizerOptions['metadata'], RegExp]>([
    ['whisper', { n_mels: undefined, sot: undefined }, /^tiny-encoder\.onnx was not made .* lacks n_mels, sot$/],
    ['whisper', { all_language_codes: 'en' }, /lacks a token for some of its languages$/],
    ['whisper', { n_vocab: 3 }, /^tiny-tokens\.txt is of another model: it has 7 symbols, but the model has 3$/],
    ['paraformer', { neg_mean: undefined, lfr_window_shift: undefined }, /lacks lfr_window_shift, neg_mean$/],
    ['nemo-transducer', { vocab_size: 9 }, /^tokens\.txt is of another model: it has 8 symbols, but the model has 10$/],
    ['nemo-transducer', { pred_hidden: undefined, normalize_type: undefined }, /lacks normalize_type, pred_hidden$/],
  ])('of the kind %s with the metadata %j is refused', async (kind, metadata = {}, expected) => {
    expect(await problemsOf(await newModel({ kind, metadata }))).toEqual([expect.stringMatching(expected)])
  })

  test('in the format of ONNX Runtime is known by its content', async () => {
    const path = await newModel({ kind: 'merged-moonshine' }, 'moonshine-tiny-en')
    await rename(join(path, 'encoder_model.onnx'), join(path, 'encoder_model.ort'))
    expect(await problemsOf(path)).toEqual(['encoder_model.ort is not a model of ONNX Runtime'])
    await writeFile(join(path, 'encoder_model.ort'), '\x18\0\0\0ORTM\0\0\0\0')
    expect((await good(path)).files).toMatchObject({ parts: { encoder: join(path, 'encoder_model.ort') } })
  })

  test('may have the names that its publishers choose, of which the full ones are used', async () => {
    const path = await newModel({}, 'zipformer-bilingual-zh-en-2023')
    await rename(join(path, 'encoder.onnx'), join(path, 'encoder-epoch-99-avg-1-chunk-16.onnx'))
    await rename(join(path, 'joiner.onnx'), join(path, 'joiner-epoch-99-avg-1.int8.onnx'))
    await writeFile(join(path, 'encoder-epoch-99-avg-1-chunk-16.int8.onnx'), 'not looked at')
    expect(await good(path)).toMatchObject({
      languages: ['zh', 'en'],
      files: {
        encoder: join(path, 'encoder-epoch-99-avg-1-chunk-16.onnx'),
        joiner: join(path, 'joiner-epoch-99-avg-1.int8.onnx'),
      },
    })
    await writeFile(join(path, 'encoder-epoch-99-avg-1-chunk-32.onnx'), 'another')
    expect(await problemsOf(path)).toEqual([expect.stringMatching(/^encoder.* is one of several \(.*\): leave one/)])
  })

  test('may state its languages, or have their full names in its name', async () => {
    expect((await good(await newModel({}, 'zipformer-korean-2024-06-16'))).languages).toEqual(['ko'])
    const path = await newModel({}, 'house')
    expect(await problemsOf(path)).toEqual([expect.stringContaining('"languages" in parlance.json')])
    await writeFile(join(path, 'parlance.json'), '{"languages": ["de-AT", "de"], "license": "MIT"}')
    expect(await good(path)).toMatchObject({ languages: ['de-AT', 'de'], license: 'MIT' })
  })

  test('is known to write capital letters only', async () => {
    const path = await newModel()
    const symbols = ['<blk>', '<unk>', '▁HOW', '▁MUCH', 'S', 'T', 'É', '<sos/eos>']
    await writeFile(join(path, 'tokens.txt'), symbols.map((symbol, index) => `${symbol} ${index}\n`).join(''))
    expect((await good(path)).writesCapitals).toBe(true)
  })

  test.each<[string, (path: string) => Promise<void>, RegExp[]]>([
    ['no joiner', (path) => unlink(join(path, 'joiner.onnx')), [/^joiner\.onnx is missing$/]],
    ['an encoder cut off', (path) => truncate(join(path, 'encoder.onnx'), 500), [/^encoder\.onnx is cut off/]],
    [
      'a web page',
      (path) => writeFile(join(path, 'decoder.onnx'), '<!doctype html>'),
      [/^decoder\.onnx is a web page/],
    ],
    [
      'only its encoder',
      (path) => Promise.all(['tokens.txt', 'decoder.onnx'].map((name) => unlink(join(path, name)))).then(() => {}),
      [/^tokens\.txt is missing$/, /^decoder\.onnx is missing$/],
    ],
    [
      'the tokens of another model',
      (path) => writeFile(join(path, 'tokens.txt'), '<blk> 0\nyes 1\n'),
      [/^tokens\.txt is of another model: its highest number is 1, but that of the model is 7$/],
    ],
  ])('with %s is refused', async (_what, spoil, expected) => {
    const path = await newModel()
    await spoil(path)
    expect(await problemsOf(path)).toEqual(expected.map((line) => expect.stringMatching(line)))
  })

  test.each<[string, ToneRecognizerOptions, RegExp]>([
    ['recognizes whole utterances', { metadata: { decode_chunk_len: undefined } }, /only streaming ones can be used$/],
    ['is of another type', { metadata: { model_type: 'EncDecMultiTaskModel' } }, /is of type "EncDecMultiTaskModel"/],
    ['was not made for sherpa-onnx', { metadata: { T: undefined } }, /its metadata lacks T$/],
    ['has invalid values', { metadata: { T: -1 } }, /its T is -1$/],
    [
      'is something else',
      { kind: 'sense-voice', metadata: { lang_auto: undefined } },
      /^model\.onnx is neither SenseVoice/,
    ],
  ])('whose model %s is refused', async (_what, options, expected) => {
    expect(await problemsOf(await newModel(options))).toEqual([expect.stringMatching(expected)])
  })
})

test('models for recognition and for speech are distinguished', async () => {
  const dir = join(home, 'both')
  await writeToneModel(join(dir, 'speaks-en_US'))
  await writeToneRecognizer(join(dir, 'dictation-en'))
  await writeToneRecognizer(join(dir, 'listens'), { kind: 'sense-voice' })
  expect(
    (await readModelsFolder(dir)).map(({ name, purpose, reading }) => [name, purpose, Object.keys(reading)]),
  ).toEqual([
    ['dictation-en', 'recognition', ['model']],
    ['listens', 'recognition', ['model']],
    ['speaks-en_US', 'speech', ['model']],
  ])
  await unlink(join(dir, 'dictation-en', 'encoder.onnx'))
  expect((await readFolder(join(dir, 'dictation-en'))).purpose).toBe('recognition')
})
