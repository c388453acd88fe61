import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadedModules } from '@parlance/testing'

const sources = fileURLToPath(new URL('../src', import.meta.url))

test('a command starts quickly: the services are loaded only by commands that run them', () => {
  const loaded = [...loadedModules(join(sources, 'main.ts'))]
  expect(loaded).toContain(join(sources, 'open-operator-calls.ts'))
  expect(loaded).toContain('@parlance/runtime')
  expect(loaded.filter((module) => module.startsWith('@parlance/service-'))).toEqual([])
})
