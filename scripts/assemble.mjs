// `npm run assemble`: assembles each WebAssembly text file (`.wat`) of the sources into a TypeScript file beside it, which
// exports the binary in base64. With `--check` it writes nothing, and fails when a file is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openWabt from 'wabt'

const root = fileURLToPath(new URL('..', import.meta.url))
const isCheck = process.argv.includes('--check')

const sources = ['libs', 'services', 'engines'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((project) =>
    readdirSync(join(root, folder, project, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.wat'))
      .map((file) => join(folder, project, 'src', file)),
  ),
)

const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

const wabt = await openWabt()

const assemble = (source) => {
  const module = wabt.parseWat(source, readFileSync(join(root, source), 'utf8'), { simd: true })
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64')
  module.destroy()
  const lines = base64.match(/.{1,96}/g).map((line) => `  '${line}',\n`)
  const name = basename(source, '.wat')
  return `/** \`${name}.wat\`, assembled by \`npm run assemble\`. */
export const ${camelCase(name)}Base64 = [
${lines.join('')}].join('')
`
}

for (const source of sources) {
  const target = source.replace(/\.wat$/, '.ts')
  const text = assemble(source)
  if (!isCheck) writeFileSync(join(root, target), text)
  else if (readFileSync(join(root, target), 'utf8') === text) console.log(`${target} is up to date.`)
  else {
    console.error(`${target} is out of date with ${source}. Run \`npm run assemble\`.`)
    process.exitCode = 1
  }
}
