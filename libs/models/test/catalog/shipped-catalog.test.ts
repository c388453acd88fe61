import { readFile } from 'node:fs/promises'
import { checkModelName } from '../../src/folder/publish-folder.js'
import { type Catalog, readCatalog, searchCatalog, sizeOfModel } from '../../src/install/index.js'

let catalog: Catalog
beforeAll(async () => {
  catalog = await readCatalog()
})

test('the shipped catalog has unique names that can be folders', () => {
  const names = catalog.models.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) checkModelName(name)
})

test('the files of a model have different last path segments, by which a mirror has them', () => {
  for (const { name, files } of catalog.models) {
    const segments = files.map(({ url }) => new URL(url).pathname.split('/').at(-1))
    expect({ name, segments: new Set(segments).size }).toEqual({ name, segments: files.length })
  }
})

test('a file of a Piper voice has at least a size and an MD5', () => {
  for (const { format, files } of catalog.models) {
    if (format !== 'piper') continue
    for (const { size_bytes, md5 } of files) expect([typeof size_bytes, typeof md5]).toEqual(['number', 'string'])
  }
})

test('the size of each model is known, at least approximately', () => {
  expect(catalog.models.filter((model) => sizeOfModel(model) === null)).toEqual([])
})

test('it has models of every kind, and a voice whose digests are known and whose license is permissive', () => {
  expect(new Set(catalog.models.map(({ kind }) => kind))).toEqual(new Set(['tts', 'stt', 'turn']))
  const [joe] = searchCatalog(catalog.models, { language: 'en-US', kind: 'tts', permissiveOnly: true })
  expect(joe).toMatchObject({ name: 'en_US-joe-medium', license: { name: 'CC0' } })
  expect(joe!.files[0]).toMatchObject({
    size_bytes: 63_201_294,
    md5: '74fd6a4dc39e0aa9dce145d7f5acd4f6',
    sha256: '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06',
  })
  expect(sizeOfModel(joe!)).toBeGreaterThan(63_201_294)
})

test('an unknown license is not treated as permissive', () => {
  for (const { license } of catalog.models) {
    if (license.name === null) expect(license.permissive).toBeNull()
    else expect(typeof license.permissive).toBe('boolean')
  }
})

test('it states each license that is recorded for a voice of Piper, with what the voice was made from', async () => {
  const recorded = await readFile(new URL('../../../../scripts/model-catalog/known.json', import.meta.url), 'utf8')
  const { piper } = JSON.parse(recorded) as { piper: Record<string, { license?: object }> }
  const entries = Object.entries(piper).filter(([, { license }]) => license !== undefined)
  expect(entries.length).toBeGreaterThan(0)
  for (const [name, { license }] of entries) {
    expect(catalog.models.find((model) => model.name === name)).toMatchObject({ name, license: { ...license } })
  }
})

test('it states each gender that is recorded for a voice of Piper, in all qualities of the voice', async () => {
  const recorded = await readFile(new URL('../../../../scripts/model-catalog/known.json', import.meta.url), 'utf8')
  const { piper_genders: genders } = JSON.parse(recorded) as { piper_genders: Record<string, unknown> }
  for (const [voice, gender] of Object.entries(genders)) {
    const found = catalog.models.filter(({ name, format }) => format === 'piper' && name.startsWith(`${voice}-`))
    expect({ voice, genders: new Set(found.map((model) => model.gender)) }).toEqual({
      voice,
      genders: new Set([gender]),
    })
  }
})
