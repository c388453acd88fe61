import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Ends the benchmark with one line that names the solution. */
export const giveUp = (message) => {
  console.error(message)
  process.exit(2)
}

const executable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const needBinary = (name, debianPackage) => {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = folders.map((folder) => join(folder, name)).find(executable)
  return found ?? giveUp(`${name} is not installed. Debian: apt-get install ${debianPackage}`)
}

/** The benchmarks measure the built code, so everything must be built. */
export const needBuild = (...services) => {
  const missing = services
    .map((name) => `services/${name}/dist/main.js`)
    .filter((path) => !existsSync(join(root, path)))
  if (missing.length > 0) giveUp(`Not built: ${missing.join(', ')}. Run: npm install && npm run build`)
}
