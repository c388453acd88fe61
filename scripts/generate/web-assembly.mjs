import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openWabt from 'wabt'

const root = fileURLToPath(new URL('../..', import.meta.url))

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
  return `/** \`${name}.wat\`, assembled by \`npm run generate\`. */
export const ${camelCase(name)}Base64 = [
${lines.join('')}].join('')
`
}

/** For each WebAssembly text file (`.wat`) of the sources a TypeScript file beside it, which exports the binary in base64. */
export const webAssembly = () =>
  Object.fromEntries(sources.map((source) => [source.replace(/\.wat$/, '.ts'), assemble(source)]))
