import { cp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type InstallEvent, installEventSchema } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { writeToneModel } from '@parlance/testing'
import {
  espeakData,
  espeakEntry,
  server as files,
  license,
  modelsDir,
  piperModel,
  useScene,
  visible,
} from '../libs/models/test/install/catalog-scene.js'
import { createModelInstaller, type ModelInstaller } from '../services/standalone/src/models/model-installer.js'
import { eventually } from './eventually.js'

useScene()
const name = 'en_US-joe-medium'
const never = new AbortController().signal
let installer: ModelInstaller
let measured = 0

beforeEach(async () => {
  measured = 0
  const model = await piperModel()
  await writeToneModel(join(modelsDir, 'tones'))
  // The data of eSpeak NG that models share.
  await cp(espeakData, join(modelsDir, '.espeak-ng-data'), { recursive: true })
  installer = createModelInstaller({
    modelsDir,
    logger: createLogger({ name: 'test', level: 'silent' }),
    mirror: files.url,
    measure: async () => void measured++,
    readCatalog: async () => ({ version: 1, espeak_data: espeakEntry, models: [model] }),
  })
})

/** Begins an installation whose download stops after 1,000 bytes, and resolves when these have arrived. */
const beginCutDownload = async () => {
  Object.assign(files.files[`${name}.onnx`]!, { etag: '"1"', stopAfterBytes: 1000, stops: 1 })
  const hangUp = new AbortController()
  const ended = installer
    .install(name, () => {}, hangUp.signal)
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  const part = join(modelsDir, '.downloads', name, `${name}.onnx.part`)
  await eventually(async () => (await stat(part).catch(() => undefined))?.size === 1000 || undefined)
  return { hangUp, ended }
}

test('a model is installed with events of its license, its downloads, its measurement and its end, listed and removed', async () => {
  const events: InstallEvent[] = []
  await installer.install(name, (event) => events.push(installEventSchema.parse(event)), never)
  expect(events[0]).toEqual({
    event: 'license',
    model: name,
    license: 'CC0',
    source: license.source,
    lineage: null,
  })
  const weights = files.files[`${name}.onnx`]!.content.length
  expect(events).toContainEqual({
    event: 'progress',
    file: `${name}.onnx`,
    received_bytes: weights,
    total_bytes: weights,
  })
  expect(events.at(-2)).toEqual({ event: 'measuring', model: name })
  expect(measured).toBe(1)
  expect(events.at(-1)).toMatchObject({ event: 'installed', name, license: 'CC0' })
  expect(await installer.list()).toMatchObject([
    { name, kind: 'tts', languages: ['en-US', 'en'], license: 'CC0', problems: [] },
    { name: 'tones', kind: 'tts', problems: [] },
  ])
  await installer.remove(name)
  expect(await visible()).toEqual(['tones'])
})

test('a model that is not in the catalog, or not installed, is an error', async () => {
  await expect(installer.install('unknown', () => {}, never)).rejects.toMatchObject({ code: 'not_found' })
  await expect(installer.remove('unknown')).rejects.toMatchObject({ code: 'not_found' })
  await expect(installer.remove('../')).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await visible()).toEqual(['tones'])
})

test('a download whose content is wrong fails, and installs nothing', async () => {
  files.files[`${name}.onnx`]!.content = Buffer.alloc(files.files[`${name}.onnx`]!.content.length, 1)
  await expect(installer.install(name, () => {}, never)).rejects.toMatchObject({ code: 'upstream_error' })
  expect(await visible()).toEqual(['tones'])
})

test('an installation that is stopped is continued by the next one; meanwhile another is refused', async () => {
  const { hangUp, ended } = await beginCutDownload()
  await expect(installer.install(name, () => {}, never)).rejects.toMatchObject({
    code: 'concurrency_limited',
    detail: `${name} is being installed already.`,
  })
  hangUp.abort()
  expect(await ended).toBeDefined()
  await installer.install(name, () => {}, never)
  expect(files.requests).toContain(`${name}.onnx bytes=1000-`)
})

test('an installation in progress ends when everything stops', async () => {
  const { ended } = await beginCutDownload()
  installer.stop()
  expect(await ended).toMatchObject({ code: 'draining' })
  expect((await readdir(modelsDir)).filter((entry) => entry.includes(name))).toEqual([])
})
