import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The folders with benchmarks. Those of engines stand beside the engines. */
const folders = ['bench', 'engines/espeak-ng/bench', 'engines/pocketsphinx/bench', 'engines/sherpa-onnx/bench']

/** Imports of a benchmark: `import { … } from '…'`, or `const { … } = await import('…')`. */
const imports = /(?:import|const) \{([^}]*)\}(?: from| = await import\()\s*'([^']+)'/g

interface Wanted {
  file: string
  module: string
  names: string[]
}

const wantedOf = (file: string, code: string): Wanted[] =>
  [...code.matchAll(imports)].map(([, names, specifier]) => ({
    file,
    module: specifier!.startsWith('.') ? new URL(specifier!, pathToFileURL(join(root, file))).href : specifier!,
    names: names!.split(',').flatMap((name) => name.trim().split(/\s*(?: as |:)\s*/)[0] || []),
  }))

/** Modules of `bench` itself are not imported here: some are programs that start work. */
const isOurs = ({ module }: Wanted) =>
  module.startsWith('@parlance/') ||
  (module.startsWith('file:') && !module.startsWith(`${pathToFileURL(join(root, 'bench')).href}/`))

/** Runs the build as the benchmarks do, outside of the test's own loader. */
const missing = `
  const lacks = []
  for (const { file, module, names } of JSON.parse(process.argv[1])) {
    const there = await import(module).catch((error) => ({ error }))
    if (there.error) lacks.push(file + ': ' + there.error.message)
    else for (const name of names) if (!(name in there)) lacks.push(file + ': ' + module + ' has no ' + name)
  }
  console.log(JSON.stringify(lacks))`

const benchmarksIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { recursive: true })
  return entries.filter((name) => name.endsWith('.mjs') && !name.startsWith('peers/')).map((name) => join(folder, name))
}

test('the product exports everything that the benchmarks import from it', async () => {
  const files = (await Promise.all(folders.map(benchmarksIn))).flat()
  const all = await Promise.all(
    files.map(async (file) => wantedOf(file, await readFile(join(root, file), 'utf8')).filter(isOurs)),
  )
  const wanted = all.flat()
  expect(wanted.length).toBeGreaterThan(30)
  const args = ['--input-type=module', '-e', missing, JSON.stringify(wanted)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(root, 'bench') })
  expect(JSON.parse(stdout)).toEqual([])
})
