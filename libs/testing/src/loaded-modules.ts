import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The modules that a source file and those it imports load before they run: paths of sources, and packages by their names.
 * What is imported by a call of `import` is not among them.
 */
export const loadedModules = (file: string, loaded = new Set<string>()): Set<string> => {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}) (?!type )[^'\n]*'([^']+)'/gm)) {
    const module = name!.startsWith('.') ? join(dirname(file), name!.replace(/\.js$/, '.ts')) : name!
    if (loaded.has(module)) continue
    loaded.add(module)
    if (name!.startsWith('.')) loadedModules(module, loaded)
  }
  return loaded
}
