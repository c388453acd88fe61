import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadedModules } from '@parlance/testing'

const sources = fileURLToPath(new URL('../src', import.meta.url))
const loadedBy = (file: string) => [...loadedModules(join(sources, file))]
const ofLibrary = (module: string) => /^@?better-auth/.test(module)

test('the service starts without the library for accounts, which is loaded when a person first signs in', () => {
  const loaded = loadedBy('index.ts')
  expect(loaded).toContain(join(sources, 'people/people-handlers.ts'))
  expect(loaded.filter(ofLibrary)).toEqual([])
  expect(loadedBy('people/accounts.ts').filter(ofLibrary)).not.toEqual([])
})
