import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const bench = `${root}bench`

/** What a benchmark takes from elsewhere: `import { … } from '…'`, or `const { … } = await import('…')`. */
const imports = /(?:import|const) \{([^}]*)\}(?: from| = await import\()\s*'([^']+)'/g

interface Wanted {
  file: string
  module: string
  names: string[]
}

const wantedOf = (file: string, code: string): Wanted[] =>
  [...code.matchAll(imports)].map(([, names, specifier]) => ({
    file,
    module: specifier!.startsWith('.') ? new URL(specifier!, pathToFileURL(`${bench}/${file}`)).href : specifier!,
    names: names!.split(',').flatMap((name) => name.trim().split(/\s*(?: as |:)\s*/)[0] || []),
  }))

/** Modules of `bench` itself are programs, some of which begin when they are imported. */
const isOurs = ({ module }: Wanted) =>
  module.startsWith('@parlance/') || (module.startsWith('file:') && !module.startsWith(`${pathToFileURL(bench).href}/`))

/** Run as the benchmarks are: what is built, outside of the test's own loader. */
const missing = `
  const lacks = []
  for (const { file, module, names } of JSON.parse(process.argv[1])) {
    const there = await import(module).catch((error) => ({ error }))
    if (there.error) lacks.push(file + ': ' + there.error.message)
    else for (const name of names) if (!(name in there)) lacks.push(file + ': ' + module + ' has no ' + name)
  }
  console.log(JSON.stringify(lacks))`

test('whatever the benchmarks take from the product is there', async () => {
  const entries = await readdir(bench, { recursive: true })
  const files = entries.filter((name) => name.endsWith('.mjs') && !name.startsWith('peers/'))
  const all = await Promise.all(
    files.map(async (file) => wantedOf(file, await readFile(`${bench}/${file}`, 'utf8')).filter(isOurs)),
  )
  const wanted = all.flat()
  expect(wanted.length).toBeGreaterThan(40)
  const args = ['--input-type=module', '-e', missing, JSON.stringify(wanted)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: bench })
  expect(JSON.parse(stdout)).toEqual([])
})
