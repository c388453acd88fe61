// `npm run generate`: writes all files that are derived from the sources and committed. With --check it writes nothing, and fails
// with one line that names those that are stale.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectReferences } from './project-references.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isCheck = process.argv.includes('--check')
const read = (file) => readFileSync(join(root, file), 'utf8')

/** Writes the files that differ, and returns their names. */
const update = (files) => {
  const stale = Object.keys(files).filter((file) => read(file) !== files[file])
  if (!isCheck) for (const file of stale) writeFileSync(join(root, file), files[file])
  return stale
}

const build = () => {
  if (isCheck) return
  const args = ['node_modules/typescript/bin/tsc', '-b', 'admin', '--checkers', '1']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

const stale = update(projectReferences(read))
build()
// Imported only now: these read what is built.
const { serviceTraffic } = await import('./service-traffic.mjs')
stale.push(...update(await serviceTraffic()))
// The command line has the traffic in it, and computes the users of NATS from it.
build()
const { chartValues } = await import('./chart-values.mjs')
const { configuration } = await import('./configuration.mjs')
const { commandLine } = await import('./command-line.mjs')
const { deployment } = await import('./deployment.mjs')
const { errorCodes } = await import('./error-codes.mjs')
const { serverLibraries } = await import('./server-libraries.mjs')
const { webAssembly } = await import('./web-assembly.mjs')
const { dashboardApi } = await import('./dashboard-api.mjs')
const deployed = deployment(read)
stale.push(
  ...update({
    ...configuration(read),
    ...deployed,
    ...chartValues(read, deployed['deploy/helm/parlance/values.yaml']),
    ...errorCodes(),
    ...webAssembly(),
    ...(await commandLine()),
    ...dashboardApi(),
    ...serverLibraries(),
  }),
)

if (!isCheck) for (const file of stale) console.log(`${file} is written.`)
else if (stale.length > 0) console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\`.`)
// Modules of the services may hold handles that keep the process alive.
process.exit(isCheck && stale.length > 0 ? 1 : 0)
