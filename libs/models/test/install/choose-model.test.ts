import { type CatalogModel, readCatalog } from '../../src/catalog.js'
import { chooseRecognizer, chooseVoice } from '../../src/install/choose-model.js'

const model = (name: string, languages: string[], more: Partial<CatalogModel> = {}): CatalogModel => ({
  name,
  kind: 'tts',
  format: 'piper',
  display_name: name,
  collection: 'tests',
  languages,
  speakers: 1,
  sample_rate: 22_050,
  memory_bytes: null,
  license: { name: 'CC0', permissive: true, source: 'https://collection.example/card', lineage: null },
  files: [{ url: 'https://collection.example/voice', size_bytes: 63_000_000, md5: null, sha256: '0'.repeat(64) }],
  ...more,
})
const unlicensed = {
  license: { name: null, permissive: null, source: 'https://collection.example/card', lineage: null },
}
const american = model('en_US-ann-medium', ['en-US', 'en'])
const british = model('en_GB-bob-medium', ['en-GB', 'en'])
const german = model('de_DE-eva-low', ['de-DE', 'de'])

test.each([
  [['en-GB', 'en'], british.name, 'en-GB'],
  [['en-US'], american.name, 'en-US'],
  [['de-AT', 'en'], german.name, 'de-DE'],
  [['hu', 'de'], german.name, 'de-DE'],
  [['hu'], american.name, 'en-US'],
])('a reader of %j is offered the voice %s', (languages, name, language) => {
  const chosen = chooseVoice([german, american, british], languages)
  expect(chosen).toEqual({ model: expect.objectContaining({ name }), language, sizeBytes: 63_000_000 })
})

test('a license that allows every use counts more than the region, and more than an unknown one', () => {
  const unknown = { ...british, ...unlicensed }
  const restricted = { ...british, license: { ...american.license, name: 'CC BY-NC', permissive: false } }
  expect(chooseVoice([restricted, unknown, american], ['en-GB'])?.model).toBe(american)
  expect(chooseVoice([restricted, unknown], ['en-GB'])?.model).toBe(unknown)
})

test('of equal licenses a voice of medium quality and one speaker is chosen', () => {
  const others = [
    model('en_US-ann-high', ['en-US']),
    model('en_US-ann-low', ['en-US']),
    model('en_US-many-medium', ['en-US'], { speakers: 100 }),
    model('kokoro', ['en-US'], { format: 'sherpa-onnx' }),
  ]
  expect(chooseVoice([...others, american], ['en-US'])?.model).toBe(american)
})

test('nothing else than voices of known size is offered', () => {
  const unknownSize = { ...american, files: [{ ...american.files[0]!, size_bytes: null }] }
  const recognizer = { ...american, kind: 'stt' as const }
  expect(chooseVoice([unknownSize, recognizer], ['en-US'])).toBeUndefined()
})

test('the shipped catalog has a voice for readers of English whose license and digest are known', async () => {
  const { models } = await readCatalog()
  expect(chooseVoice(models, ['en-US'])?.model).toMatchObject({ name: 'en_US-joe-medium', license: { name: 'CC0' } })
})

describe('the recognizer to offer', () => {
  const memoryBytes = 4e9
  const recognizer = (name: string, languages: string[], more: Partial<CatalogModel> = {}) =>
    model(name, languages, {
      ...{ kind: 'stt', format: 'sherpa-onnx', recommended: true, quality: 50, memory_bytes: 1e9 },
      ...more,
    })

  test('is recommended, knows the language, and fits into the memory', () => {
    const small = recognizer('small', ['en'])
    const others = [
      american,
      recognizer('german', ['de'], { quality: 90 }),
      recognizer('not-recommended', ['en'], { recommended: undefined, quality: 90 }),
      recognizer('large', ['en'], { memory_bytes: memoryBytes + 1, quality: 90 }),
    ]
    expect(chooseRecognizer([...others, small], 'en-GB', memoryBytes)).toEqual({
      ...{ model: small, language: 'en', sizeBytes: 63_000_000 },
    })
    expect(chooseRecognizer(others, 'fr', memoryBytes)).toBeUndefined()
  })

  test('is one of known memory before one with a permissive license, and that before the more accurate', () => {
    const restricted = recognizer('restricted', ['en'], { license: { ...american.license, permissive: false } })
    const unmeasured = recognizer('unmeasured', ['en'], { memory_bytes: null, quality: 90 })
    const accurate = recognizer('accurate', ['en'], { quality: 60 })
    const plain = recognizer('plain', ['en'])
    const names = (...models: CatalogModel[]) => chooseRecognizer(models, 'en', memoryBytes)?.model.name
    expect(names(unmeasured, restricted)).toBe('restricted')
    expect(names(restricted, plain)).toBe('plain')
    expect(names(plain, accurate)).toBe('accurate')
  })

  test.each([
    ['en-US', 'moonshine-base-en'],
    ['de', 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8'],
    ['tr', 'sherpa-onnx-whisper-base'],
    ['ja', 'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17'],
  ])('of the shipped catalog for %s is %s', async (language, name) => {
    const { models } = await readCatalog()
    expect(chooseRecognizer(models, language, memoryBytes)?.model.name).toBe(name)
  })
})
