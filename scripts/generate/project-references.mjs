import { existsSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The text of a tsconfig.json with these references at its end. */
const withReferences = (text, folders) => {
  const without = text.replace(/,\s*"references": \[[^\]]*\]/, '').replace(/\s*\}\s*$/, '')
  const references = JSON.stringify(folders.map((path) => ({ path })).sort(byPath), null, 2).replaceAll('\n', '\n  ')
  return `${without}${folders.length > 0 ? `,\n  "references": ${references}` : ''}\n}\n`
}
const byPath = (one, other) => one.path.localeCompare(other.path)

/** The references of each tsconfig.json: to the packages that its package depends on, and in the root to all packages. */
export const projectReferences = (read) => {
  const folders = ['engines', 'libs', 'sdks', 'services', 'tools', 'web'].flatMap((folder) =>
    readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`),
  )
  const projects = ['admin', 'cli', ...folders]
    // The documentation has no types, and a build of another branch leaves folders without a package.
    .filter((folder) => existsSync(`${root}${folder}/tsconfig.json`))
    .map((folder) => ({ folder, ...JSON.parse(read(`${folder}/package.json`)) }))
  // The package that depends on pages reads files: it imports none of their modules.
  const imported = projects.filter(({ folder }) => !existsSync(`${root}${folder}/vite.config.mjs`))
  const files = {
    'tsconfig.json': withReferences(
      read('tsconfig.json'),
      projects.map(({ folder }) => folder),
    ),
  }
  for (const { folder, dependencies, peerDependencies } of projects) {
    const named = { ...dependencies, ...peerDependencies }
    const referenced = imported.filter(({ name }) => name in named)
    const file = `${folder}/tsconfig.json`
    files[file] = withReferences(
      read(file),
      referenced.map((one) => relative(folder, one.folder)),
    )
  }
  return files
}
