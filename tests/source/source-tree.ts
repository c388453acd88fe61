import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders with source of the product and its tests, relative to the repository. */
const folders = ['libs', 'services', 'engines', 'web', 'cli', 'tests', 'bench', 'scripts', 'examples']

/** Installed, built or generated files. */
const ignoredFolders = /(^|\/)(node_modules|dist|\.[^/]+)(\/|$)/

const isSource = (name: string): boolean => /\.(ts|tsx|mjs|cjs|js)$/.test(name) && !name.endsWith('.d.ts')

export interface SourceFile {
  /** Relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
  /** Number of lines; a final line break begins no line. */
  readonly lines: number
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (ignoredFolders.test(path)) return []
    if (entry.isDirectory()) return filesBelow(path)
    return isSource(entry.name) ? [path] : []
  })

const readSource = (path: string): SourceFile => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, lines: text.replace(/\n$/, '').split('\n').length }
}

/** Every source file of the repository, tests included, in the order of their paths. */
export const sourceFiles = (): SourceFile[] => folders.flatMap(filesBelow).sort().map(readSource)

/** Whether a file is source of the product: below the `src` folder of a package. */
export const isProductSource = ({ path }: SourceFile): boolean => path.includes('/src/')
