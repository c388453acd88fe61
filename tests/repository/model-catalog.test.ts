import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type LocalServer, startLocalServer } from '@parlance/testing'
import { root, testedCommands } from '../documents.js'

const [fromMirror, fromFolder] = testedCommands('docs/speech-models.md').at(-1)!.split('\n') as [string, string]
const shipped = new URL('../../libs/models/catalog/models.json', import.meta.url)

interface Model {
  name: string
  license: { name: string | null; source: string }
  files: { url: string; size_bytes: number | null; md5: string | null; sha256: string | null; optional?: true }[]
}

const voice = (key: string, family: string) => {
  const [code, name, quality] = key.split('-')
  const folder = `${family}/${code}/${name}/${quality}`
  const file = (size_bytes: number, digit: string) => ({ size_bytes, md5_digest: digit.repeat(32) })
  return {
    key,
    name,
    language: { code, family },
    quality,
    num_speakers: 1,
    files: {
      [`${folder}/${key}.onnx`]: file(1000, 'a'),
      [`${folder}/${key}.onnx.json`]: file(100, 'b'),
      [`${folder}/MODEL_CARD`]: file(10, 'c'),
    },
  }
}
const voices = {
  'en_US-joe-medium': voice('en_US-joe-medium', 'en'),
  'pt_PT-tugão-x_low': voice('pt_PT-tugão-x_low', 'pt'),
}
const archive = 'kokoro-en-v0_19.tar.bz2'
const releases = { assets: [{ name: archive, size: 5, digest: `sha256:${'d'.repeat(64)}` }] }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-catalog-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs a command of the documentation, which writes `output` then, not the shipped catalog. */
const runInto = (output: string, command: string) =>
  promisify(execFile)('bash', ['-c', `${command} --output '${output}'`], { cwd: root })
const withIndexes = (indexes: string) => fromFolder.replace('FOLDER', `'${indexes}'`)

const make = async (command: string): Promise<Map<string, Model>> => {
  const output = join(folder, 'out.json')
  await runInto(output, command)
  const { models } = JSON.parse(await readFile(output, 'utf8')) as { models: Model[] }
  return new Map(models.map((model) => [model.name, model]))
}

const expectMade = (models: Map<string, Model>) => {
  const base = 'https://huggingface.co/rhasspy/piper-voices/resolve/main'
  expect(models.get('pt_PT-tugão-x_low')).toMatchObject({
    kind: 'tts',
    format: 'piper',
    languages: ['pt-PT', 'pt'],
    sample_rate: 16_000,
    license: { name: null, permissive: null },
    files: [
      {
        url: `${base}/pt/pt_PT/tug%C3%A3o/x_low/pt_PT-tug%C3%A3o-x_low.onnx`,
        size_bytes: 1000,
        md5: 'a'.repeat(32),
        sha256: null,
      },
      { md5: 'b'.repeat(32) },
      { md5: 'c'.repeat(32), optional: true },
    ],
  })
  expect(models.get('en_US-joe-medium')).toMatchObject({
    gender: 'male',
    license: { name: 'CC0' },
    files: [{ sha256: '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06' }, {}, { sha256: null }],
  })
}

test('the catalog is made from indexes in a folder', async () => {
  await writeFile(join(folder, 'voices.json'), JSON.stringify(voices))
  await writeFile(join(folder, 'tts-models.json'), JSON.stringify(releases))
  const models = await make(withIndexes(folder))
  expectMade(models)
  expect(models.get('kokoro-en-v0_19')!.files).toEqual([
    {
      url: `https://github.com/k2-fsa/sherpa-onnx/releases/download/tts-models/${archive}`,
      size_bytes: 5,
      md5: null,
      sha256: 'd'.repeat(64),
    },
  ])
})

describe('from a mirror', () => {
  let server: LocalServer
  beforeEach(async () => {
    server = await startLocalServer((request, response) => {
      if (request.url === '/indexes/voices.json') response.end(JSON.stringify(voices))
      else response.writeHead(404).end()
    })
  })
  afterEach(() => server.close())

  test('a release whose index is missing leaves its facts unknown instead of guessed', async () => {
    const mirror = `${server.url}/indexes`
    const models = await make(fromMirror.replace('https://indexes.example.com', mirror))
    expectMade(models)
    expect(models.get('kokoro-en-v0_19')!.files[0]).toMatchObject({ size_bytes: null, md5: null, sha256: null })
  })

  test('without the index of Piper nothing is written', async () => {
    const output = join(folder, 'out.json')
    const made = runInto(output, withIndexes(join(folder, 'none')))
    await expect(made).rejects.toThrow('voices.json')
    await expect(readFile(output)).rejects.toThrow('ENOENT')
  })
})

test('the shipped catalog adds to the indexes exactly what the script adds today', async () => {
  await writeFile(join(folder, 'voices.json'), JSON.stringify(voices))
  const made = await make(withIndexes(folder))
  const { models } = JSON.parse(await readFile(shipped, 'utf8')) as { models: Model[] }
  for (const model of models) {
    if (made.has(model.name) && !(model.name in voices)) expect(made.get(model.name)).toEqual(model)
  }
})
