import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { services } from './service-environment.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFile(join(root, file), 'utf8')

test('docs/configuration.md and the schema of the chart have the variables that the services read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-configuration-'))
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/configuration/main.mjs'), '--to', folder])
    for (const file of ['docs/configuration.md', 'deploy/helm/parlance/values.schema.json']) {
      const made = await readFile(join(folder, file.slice(file.lastIndexOf('/') + 1)), 'utf8')
      expect(made === (await read(file)) ? '' : `${file} is not up to date: npm run configuration writes it`).toBe('')
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('every variable is described', async () => {
  const rows = (await read('docs/configuration.md')).split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.length).toBeGreaterThan(70)
  expect(rows.filter((row) => !/\| \S.* \|$/.test(row.replace(/^\|[^|]*\|[^|]*/, '')))).toEqual([])
  for (const name of services.keys()) expect(await read('docs/configuration.md')).toContain(`\n## ${name}\n`)
})
