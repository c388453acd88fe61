// `npm run generate`: writes all files that are derived from the sources and committed. With --check it writes nothing, and fails
// with one line that names those that are stale. What it reads of the services is in dist/.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardApi } from '../../web/dashboard/generate-api.mjs'
import { configuration } from './configuration.mjs'
import { deployment, natsUsers } from './deployment.mjs'
import { projectReferences } from './project-references.mjs'
import { serviceTraffic } from './service-traffic.mjs'
import { webAssembly } from './web-assembly.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isCheck = process.argv.includes('--check')
const read = (file) => readFileSync(join(root, file), 'utf8')

/** Writes the files that differ, and returns their names. */
const update = (files) => {
  const stale = Object.keys(files).filter((file) => read(file) !== files[file])
  if (!isCheck) for (const file of stale) writeFileSync(join(root, file), files[file])
  return stale
}

const stale = update(await serviceTraffic())
// The users of NATS are computed by the command line, which has the traffic in it.
if (stale.length > 0 && !isCheck) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'cli', '--checkers', '1'], { cwd: root })
}
stale.push(
  ...update({
    ...configuration(read),
    ...deployment(read),
    ...(await natsUsers()),
    ...(await dashboardApi()),
    ...projectReferences(read),
    ...webAssembly(),
  }),
)
if (!isCheck) for (const file of stale) console.log(`${file} is written.`)
else if (stale.length > 0) console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\`.`)
// Modules of the services may hold handles that keep the process alive.
process.exit(isCheck && stale.length > 0 ? 1 : 0)
