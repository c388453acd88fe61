import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../src', import.meta.url))

/** The modules that a file and those it imports load before they run; those of packages by their names. */
const loadedBy = (file: string, loaded = new Set<string>()): Set<string> => {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}) (?!type )[^'\n]*'([^']+)'/gm)) {
    const module = name!.startsWith('.') ? join(dirname(file), name!.replace(/\.js$/, '.ts')) : name!
    if (loaded.has(module)) continue
    loaded.add(module)
    if (name!.startsWith('.')) loadedBy(module, loaded)
  }
  return loaded
}

test('a command starts quickly: the services are loaded only by commands that run them', () => {
  const loaded = [...loadedBy(join(sources, 'main.ts'))]
  expect(loaded).toContain(join(sources, 'open-operator-calls.ts'))
  expect(loaded).toContain('@parlance/runtime')
  expect(loaded.filter((module) => module.startsWith('@parlance/service-'))).toEqual([])
})
