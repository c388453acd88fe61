import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dashboard = fileURLToPath(new URL('../../web/dashboard', import.meta.url))
const site = join(dashboard, 'dist/site')

interface BuiltFile {
  readonly file: string
  readonly isEntry?: true
  readonly imports?: readonly string[]
}

const manifest: Record<string, BuiltFile> = JSON.parse(readFileSync(join(site, '.vite/manifest.json'), 'utf8'))

const maxFirstLoadBytes = 255_000

/** The script files that a browser loads for a module: its own, and those that it imports at once. */
const filesOf = (name: string, found = new Set<string>()): Set<string> => {
  const { file, imports = [] } = manifest[name]!
  if (found.has(file)) return found
  found.add(file)
  for (const imported of imports) filesOf(imported, found)
  return found
}

const gzippedBytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + readFileSync(join(site, `${file}.gz`)).length, 0)

test('the first load of each page has at most 255 kB of compressed script', () => {
  const [entry] = Object.entries(manifest).find(([, { isEntry }]) => isEntry)!
  const first = filesOf(entry)
  const pages = Object.keys(manifest).filter((name) => /-page\.tsx$/.test(name))
  expect(pages.length).toBeGreaterThanOrEqual(5)
  const large = pages
    .map((page) => [page, gzippedBytes(filesOf(page, new Set(first)))] as const)
    .filter(([, bytes]) => bytes > maxFirstLoadBytes)
  expect(large).toEqual([])
})

test('the build contains the licenses of all packages in it', () => {
  const licenses = readFileSync(join(site, '.vite/license.md'), 'utf8')
  for (const name of ['react', '@mantine/core', '@tanstack/react-router', 'three']) {
    expect(licenses).toContain(`## ${name} - `)
  }
  expect(readFileSync(join(site, '.vite/license-of-workers.md'), 'utf8')).toContain('## yaml\n\nCopyright')
})

test('no file of the build loads anything from another host', () => {
  const files = readdirSync(join(site, 'dashboard/static')).filter((name) => /\.css$/.test(name))
  expect(files.length).toBeGreaterThan(0)
  for (const name of files) {
    expect(readFileSync(join(site, 'dashboard/static', name), 'utf8')).not.toMatch(/url\(["']?(https?:)?\/\//)
  }
})
