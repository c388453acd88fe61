import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Catalog,
  type CatalogFile,
  type CatalogModel,
  InstallError,
  type InstallOptions,
  installModel,
} from '../../src/install/index.js'
import { writePiperOriginal } from '../import/piper-original.js'
import { type FileServer, startFileServer } from './file-server.js'

export let home: string
export let source: string
export let modelsDir: string
export let espeakData: string
export let server: FileServer

/** Gives each test of a file folders of its own and a server of files, in the variables above. */
export const useScene = (): void => {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'parlance-install-'))
    source = join(home, 'source')
    modelsDir = join(home, 'models')
    espeakData = join(home, 'espeak-ng-data')
    await mkdir(espeakData)
    for (const file of ['phontab', 'phonindex', 'phondata', 'intonations']) await writeFile(join(espeakData, file), 'x')
    server = await startFileServer()
  })
  afterEach(async () => {
    await server.close()
    await rm(home, { recursive: true })
  })
}

export const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const md5Of = (content: Buffer) => createHash('md5').update(content).digest('hex')

/** Serves a file, and describes it as a catalog with its digests would. */
export const serve = (name: string, content: Buffer, more: Partial<CatalogFile> = {}): CatalogFile => {
  server.files[name] = { content }
  const url = `https://collection.example/voices/${name}`
  return { url, size_bytes: content.length, md5: md5Of(content), sha256: sha256Of(content), path: name, ...more }
}

export const license = { name: 'CC0', permissive: true, source: 'https://collection.example/card', lineage: null }
export const modelOf = (name: string, files: CatalogFile[], more: Partial<CatalogModel> = {}): CatalogModel => ({
  name,
  kind: 'tts',
  format: 'piper',
  display_name: name,
  collection: 'tests',
  languages: ['en-US', 'en'],
  speakers: 1,
  sample_rate: 16_000,
  memory_bytes: 1_000_000,
  license,
  files,
  ...more,
})

export const piperModel = async (more: Partial<CatalogFile> = {}, modelMore: Partial<CatalogModel> = {}) => {
  await writePiperOriginal(source, 'en_US-joe-medium')
  const served = async (name: string, also: Partial<CatalogFile> = {}) =>
    serve(name, await readFile(join(source, name)), { ...more, ...also })
  return modelOf(
    'en_US-joe-medium',
    [
      await served('en_US-joe-medium.onnx'),
      await served('en_US-joe-medium.onnx.json'),
      await served('MODEL_CARD', { optional: true }),
    ],
    modelMore,
  )
}

export const espeakEntry = {
  url: 'https://collection.example/espeak.whl',
  size_bytes: 1,
  sha256: '0'.repeat(64),
  member: 'loader/espeak-ng-data',
  license: 'GPL-3.0-or-later',
  source: 'https://collection.example/COPYING',
}

export const install = (model: CatalogModel, options: Partial<InstallOptions> = {}, catalog: Partial<Catalog> = {}) =>
  installModel(
    model,
    { version: 1, espeak_data: espeakEntry, models: [model], ...catalog },
    {
      modelsDir,
      espeakData,
      mirror: `${server.url}/`,
      retryDelayMs: 1,
      acceptLicense: async () => true,
      ...options,
    },
  )
export const refusal = async (...args: Parameters<typeof install>): Promise<InstallError> => {
  const error = await install(...args).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(InstallError)
  return error as InstallError
}
export const visible = async () => (await readdir(modelsDir).catch(() => [])).filter((name) => !name.startsWith('.'))
