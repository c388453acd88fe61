// `npm run configuration`: writes docs/configuration.md, and the variables in the schema of the chart's values, from the services
// in dist/. With --to FOLDER it writes the two files there instead.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { configurationPage, valuesSchema } from './documents.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { to } = parseArgs({ options: { to: { type: 'string' } } }).values
const schemaFile = 'deploy/helm/parlance/values.schema.json'

const write = async (file, text) => {
  const path = to === undefined ? join(root, file) : join(to, basename(file))
  if (to !== undefined) await mkdir(to, { recursive: true })
  await writeFile(path, text)
}

await write('docs/configuration.md', configurationPage())
await write(schemaFile, valuesSchema(await readFile(join(root, schemaFile), 'utf8')))
// Modules of the services may hold handles that keep the process alive.
process.exit(0)
