import type { InstallableModel } from '../../src/models/model-queries.js'
import { orderedModels } from '../../src/models/model-words.js'

const model = (name: string, ...languages: string[]): InstallableModel => ({
  ...{ name, kind: 'tts', display_name: name, languages, size_bytes: 1 },
  ...{ license: null, license_source: 'https://example.com', license_lineage: null },
})

test('the catalog begins with what is recommended, then has the languages of the person, then the others by name', () => {
  const models = [
    model('swedish', 'sv-SE'),
    model('arabic', 'ar-JO'),
    model('english', 'en-US'),
    model('german', 'de-DE'),
    model('best', 'en-US'),
  ]
  const ordered = orderedModels(models, new Set(['best']), ['de-AT', 'en'])
  expect(ordered.map(({ name }) => name)).toEqual(['best', 'english', 'german', 'arabic', 'swedish'])
})
