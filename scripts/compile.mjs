// Compiles all packages: first the gateway, from whose OpenAPI document the types of its clients are written, then the others.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mustRun } from './child.mjs'

/** The types, which are not committed: the export of `web/dashboard/api-types.mjs` that makes each file. */
const makers = { 'sdks/node/src/openapi.ts': 'serverTypes', 'web/dashboard/src/api/schema.d.ts': 'dashboardTypes' }

export const apiTypeFiles = Object.keys(makers)

/** One checker for a project, because further ones check shared code again, for twice the CPU time. */
const compile = (...projects) =>
  mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...projects, '--checkers', '1'])

const writeApiTypes = async () => {
  const apiTypes = await import('../web/dashboard/api-types.mjs')
  for (const [file, maker] of Object.entries(makers)) {
    const text = await apiTypes[maker]()
    // The compiler reads a file again when its time has changed.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

const main = async () => {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
  await compile('services/gateway')
  await writeApiTypes()
  await compile()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Modules of the services may hold handles that keep the process alive.
  main().then(
    () => process.exit(),
    ({ message }) => {
      console.error(message)
      process.exit(1)
    },
  )
}
