import { copyFile, readFile, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToneModelOptions } from '@parlance/testing'
import { good, problemsOf, useModels, writeEspeakData } from './model-scene.js'

const { newModel } = useModels()

describe('a folder is refused with its problems', () => {
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
      'tokens that are not text',
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

  test('for metadata with which the native library would end the process', async () => {
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
      'The language of the folder is unknown: name it as "languages" in parlance.json',
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

  test('for all problems at once', async () => {
    const path = await newModel({ metadata: { comment: 'piper', has_espeak: 1 } })
    await unlink(join(path, 'lexicon.txt'))
    await unlink(join(path, 'tokens.txt'))
    await writeFile(join(path, 'parlance.json'), '{"speeker": 1}')
    expect(await problemsOf(path)).toEqual([
      expect.stringMatching(/^parlance\.json is invalid: .*speeker/),
      'tokens.txt is missing',
      'phontab is missing',
      'phonindex is missing',
      'phondata is missing',
      'intonations is missing',
    ])
  })

  test('for a parlance.json that names missing speakers or files', async () => {
    const path = await newModel({ speakers: 2 })
    await writeFile(join(path, 'parlance.json'), '{"speakers": [{"id": 2}]}')
    expect(await problemsOf(path)).toEqual(['parlance.json names the speaker 2, but the model has 2 speakers, from 0'])
    await writeFile(join(path, 'parlance.json'), '{"model": "../../etc/passwd"}')
    expect(await problemsOf(path)).toContain(
      'parlance.json is invalid at model: must be the name of a file in the folder',
    )
    await writeFile(join(path, 'parlance.json'), '{"model": ')
    expect(await problemsOf(path)).toContain('parlance.json is not JSON')
  })

  test('for two models in one folder', async () => {
    const path = await newModel()
    await copyFile(join(path, 'model.onnx'), join(path, 'amy.onnx'))
    expect(await problemsOf(path)).toEqual([
      'amy.onnx is one of several models (amy.onnx, model.onnx): name one as "model" in parlance.json',
    ])
    await writeFile(join(path, 'parlance.json'), '{"model": "amy.onnx"}')
    expect((await good(path)).files.model).toBe(join(path, 'amy.onnx'))
  })
})
