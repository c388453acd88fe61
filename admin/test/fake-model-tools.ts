import type { Catalog, CatalogModel } from '@parlance/models/install'
import type { ModelTools } from '../src/models/model-tools.js'

const file = {
  url: 'https://collection.example/en_US-joe-medium.onnx',
  size_bytes: 63_201_294,
  md5: 'a'.repeat(32),
  sha256: 'b'.repeat(64),
  path: 'en_US-joe-medium.onnx',
}

export const joe: CatalogModel = {
  name: 'en_US-joe-medium',
  kind: 'tts',
  format: 'piper',
  display_name: 'Joe',
  collection: 'piper-voices',
  languages: ['en-US', 'en'],
  speakers: 1,
  sample_rate: 22_050,
  memory_bytes: 163_201_294,
  license: { name: 'CC0', permissive: true, source: 'https://collection.example/MODEL_CARD', lineage: 'lessac' },
  files: [file],
}
export const thorsten: CatalogModel = {
  ...joe,
  name: 'de_DE-thorsten-medium',
  languages: ['de-DE', 'de'],
  license: { ...joe.license, name: null, permissive: null },
  files: [{ ...file, size_bytes: null, sha256: null }],
}
export const turn: CatalogModel = { ...joe, name: 'smart-turn', kind: 'turn', format: 'onnx', languages: [] }

const catalog: Catalog = {
  version: 1,
  espeak_data: {
    url: 'https://loader.example/espeak.whl',
    size_bytes: 1,
    sha256: file.sha256,
    member: 'data',
    license: 'GPL-3.0-or-later',
    source: file.url,
  },
  models: [joe, thorsten, turn],
}

/** Stand-ins for models, without a disk. A test may replace each call. */
export const createFakeModelTools = (overrides: Partial<ModelTools> = {}): ModelTools => ({
  findModels: async () => [],
  measureModel: async () => ({ report: { problems: ['not called'] }, threads: undefined }),
  tryTurnModel: async () => ({ problems: ['not called'] }),
  measureSpeechModel: async () => {},
  readRecord: async () => undefined,
  describeFailure: async () => undefined,
  findChangedFiles: async () => [],
  readCatalog: async () => catalog,
  install: async ({ name, files }, _catalog, { modelsDir }) => ({
    name,
    folder: `${modelsDir}/${name}`,
    license: 'CC0',
    files: files.map(({ url }) => ({ url, size_bytes: 5, sha256: 'b'.repeat(64) })),
    sizeBytes: 5 * files.length,
  }),
  importModels: async (path, { modelsDir, name = 'imported' }) => [{ name, folder: `${modelsDir}/${name}`, path }],
  remove: async () => {},
  ...overrides,
})
